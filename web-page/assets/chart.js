// A small chart of bars, as SVG: its numbers are attributes, since no style may stand in the document.

/**
 * @param {readonly number[]} values
 * @param {string} label for who cannot see it
 * @param {(index: number) => string} title of one bar
 */
export function bars(values, label, title) {
  const [width, height, gap] = [8, 40, 2];
  const most = Math.max(1, ...values);
  const svg = make("svg", {
    viewBox: `0 0 ${values.length * (width + gap) - gap} ${height}`,
    class: "chart",
    role: "img",
    "aria-label": label,
  });
  svg.setAttribute("preserveAspectRatio", "none");
  values.forEach((value, i) => {
    const tall = value === 0 ? 1 : Math.max(2, (value / most) * height);
    const bar = make("rect", { x: i * (width + gap), y: height - tall, width, height: tall, class: value === 0 ? "none" : "" });
    const text = make("title", {});
    text.textContent = title(i);
    bar.append(text);
    svg.append(bar);
  });
  return svg;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function make(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
