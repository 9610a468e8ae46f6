// The keeper owns the parts of one stack: PostgreSQL and Azurite. Whoever uses the stack holds one TCP connection to
// the keeper, which is the lease: the kernel ends it however its holder dies. When the last one is gone the keeper
// stops the parts, removes its run folder and ends. keeper.go starts it with its settings as JSON on standard input:
//
//   {run, state, token, graceMs}
//
// Lines of JSON go over a connection. The first is {token}, answered with {keeper: pid}. Each later one is a request
// {action: "start" | "stop", postgres: {…}, azurite: {…}}, answered with the ports {postgres, blob, queue} or with
// {error}. To start what runs and to stop what does not is fine. Where a part ends by itself, all are told why: {error}.
'use strict';
const crypto = require('crypto'), fs = require('fs'), http = require('http'), https = require('https'), net = require('net');
const path = require('path'), readline = require('readline');
const { spawn } = require('child_process');

const settings = JSON.parse(fs.readFileSync(0, 'utf8'));
const users = new Set();
const running = {}; // name of a part → {child, mark, signal, stopping, ready}
const ports = {};   // kept while a part is stopped, so that it comes back where it was
const turns = {};   // name of a part → the end of its last request: one at a time

const pause = ms => new Promise(done => setTimeout(done, ms));
const logOf = name => path.join(settings.run, name + '.log');
const tailOf = name => fs.readFileSync(logOf(name), 'utf8').trim().slice(-1500);

// The last line of a part's log that says why it ended, or that its disk is full, of which others come; "" if there is none.
function lastWords(name) {
  const said = fs.readFileSync(logOf(name), 'utf8').match(/(PANIC|FATAL): +(?!the database system)\S.*|Error: .*/g) ?? [];
  return said.findLast(line => line.includes('No space left on device')) ?? said.at(-1) ?? '';
}

// The state file says where to connect, and whom to end should the keeper itself be killed.
function saveState() {
  const parts = Object.values(running).map(({ child, mark, signal }) => ({ pid: child.pid, mark, signal }));
  const { state, run, token } = settings;
  fs.writeFileSync(state + '.new', JSON.stringify({ pid: process.pid, port: server.address().port, token, run, parts }), { mode: 0o600 });
  fs.renameSync(state + '.new', state);
}

// A free port below the ranges that systems use for outgoing connections: a part that is away for a while finds its
// port free when it comes back.
async function freePort() {
  for (;;) {
    const port = 10240 + Math.floor(Math.random() * 22528);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  const probe = net.createServer();
  return new Promise(done => probe.once('error', () => done(false)).listen(port, '127.0.0.1', () => probe.close(() => done(true))));
}

// Runs a program with its output in its part's log, and without input unless options has the descriptor of a file; child.ended comes true
// with why it ended.
function launch(name, program, args, options = {}) {
  const log = fs.openSync(logOf(name), 'a');
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('PG')));
  const child = spawn(program, args, { cwd: settings.run, env, windowsHide: true, ...options, stdio: [options.input ?? 'ignore', log, log, ...(options.stdio ?? [])] });
  fs.closeSync(log);
  child.ended = new Promise(done => child.once('error', done).once('exit', (code, signal) => done(signal ?? code)));
  child.ended.then(() => { child.over = true; });
  return child;
}

// Starts what stays. A part that ends before it is ready tries again, on other ports if it never had any: somebody
// may have taken one in between.
async function start(name, wanted, { mark, signal, run, ready, stop }) {
  if (running[name]) return;
  const fresh = wanted.filter(port => !ports[port]);
  for (let tries = 1; ; tries++) {
    for (const port of fresh) ports[port] = await freePort();
    const part = running[name] = { child: run(), mark, signal, stop };
    saveState();
    part.child.ended.then(why => {
      delete running[name];
      if (!part.ready || part.stopping) return;
      const error = `${name} ended by itself: ${lastWords(name) || why}`;
      for (const user of users) user.write(JSON.stringify({ error }) + '\n');
      shutdown(error);
    });
    for (let i = 0; i < 3000 && !part.ready && !part.child.over; i++) part.ready = await ready() || void await pause(20);
    if (part.ready && !part.child.over) return;
    part.child.kill('SIGKILL');
    await part.child.ended;
    if (tries === 5) throw new Error(`${name} does not start: ${lastWords(name) || tailOf(name)}`);
  }
}

async function stop(name, mode) {
  const part = running[name];
  if (!part) return;
  part.stopping = true;
  part.stop(part.child, mode);
  const last = setTimeout(() => part.child.kill('SIGKILL'), 20000);
  await part.child.ended;
  clearTimeout(last);
}

// {home, data, passfile, port?, must, uid?, gid?, durable}: port is where it listens if that is free; with must it listens nowhere else. home holds bin, lib and share. uid and gid are another user's, whom PostgreSQL
// runs as because it refuses root; that user may not reach home and gets a copy.
async function startPostgres({ home, data, passfile, port, must, uid, gid, durable }) {
  if (port && !ports.postgres) {
    if (await isFree(port)) ports.postgres = port;
    else if (must) throw new Error(`port ${port} is taken by another program`);
  }
  const as = uid === undefined ? {} : { uid, gid };
  if (uid !== undefined) {
    const copy = path.join(settings.run, 'postgresql');
    if (!fs.existsSync(copy)) fs.cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
    home = copy;
  }
  const program = name => path.join(home, 'bin', name);
  const execute = async (name, args, options) => {
    const why = await launch('postgres', program(name), args, { ...as, ...options }).ended;
    if (why !== 0) throw new Error(`${name} failed: ${lastWords('postgres') || tailOf('postgres') || why}`);
  };
  if (!fs.existsSync(passfile)) {
    const password = crypto.randomBytes(24).toString('hex');
    if (fs.existsSync(data)) await changePassword(execute, data, password);
    writeSecret(passfile, `127.0.0.1:*:*:sheetdrop:${password}\n`);
  }
  if (!fs.existsSync(data)) {
    const fresh = data + '.new'; // half a data folder is never taken for a whole one
    fs.rmSync(fresh, { recursive: true, force: true });
    fs.mkdirSync(fresh, { mode: 0o700 });
    const secret = path.join(settings.run, 'password');
    writeSecret(secret, fs.readFileSync(passfile, 'utf8').trim().split(':')[4]);
    if (uid !== undefined) for (const file of [fresh, secret]) fs.chownSync(file, uid, gid);
    await execute('initdb', ['-D', fresh, '-U', 'sheetdrop', '-A', 'scram-sha-256', '--pwfile', secret, '-E', 'UTF8', '--locale=C',
      '--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...(durable ? [] : ['--no-sync'])]);
    fs.rmSync(secret);
    fs.renameSync(fresh, data);
  }
  const set = { unix_socket_directories: '', max_connections: 300, ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }) };
  const options = Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const pidFile = path.join(data, 'postmaster.pid');
  await start('postgres', ['postgres'], {
    mark: data, signal: 'SIGINT',
    run: () => launch('postgres', program('postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(ports.postgres), ...options], as),
    ready() { // as pg_ctl does it
      const lines = fs.existsSync(pidFile) ? fs.readFileSync(pidFile, 'utf8').split('\n') : [];
      return lines[0] === String(running.postgres?.child.pid) && lines[7]?.trim() === 'ready';
    },
    stop: (_, mode) => launch('postgres', program('pg_ctl'), ['stop', '-D', data, '-m', mode, '-W'], as),
  });
}

// Writes a file, as a whole, that its owner alone may read. (On Windows that is up to its folder.)
function writeSecret(file, text) {
  fs.rmSync(file + '.new', { force: true });
  fs.writeFileSync(file + '.new', text, { mode: 0o600 });
  fs.renameSync(file + '.new', file);
}

// Gives the superuser of a stopped server another password, and has the server ask everybody for theirs: data of an earlier version let in
// whoever came from this machine.
async function changePassword(execute, data, password) {
  const statement = path.join(settings.run, 'password.sql');
  writeSecret(statement, `alter role sheetdrop password '${password}'\n`);
  const input = fs.openSync(statement);
  await execute('postgres', ['--single', '-D', data, 'postgres'], { input });
  fs.closeSync(input);
  fs.rmSync(statement);
  const rules = path.join(data, 'pg_hba.conf');
  fs.writeFileSync(rules, fs.readFileSync(rules, 'utf8').replace(/\btrust$/gm, 'scram-sha-256'));
}

// {script, data, blob?, queue?, certificate?, key?}: blob and queue are where it listens if these ports are free; with a certificate it speaks
// HTTPS and takes tokens. It is stopped by its own
// message, never by SIGKILL: that one loses what it has acknowledged.
async function startAzurite({ script, data, blob, queue, certificate, key }) {
  for (const [name, port] of Object.entries({ blob, queue })) if (port && !ports[name] && await isFree(port)) ports[name] = port;
  const secure = certificate ? ['--cert', certificate, '--key', key, '--oauth', 'basic'] : [];
  const service = name => [`--${name}Host`, '127.0.0.1', `--${name}Port`, String(ports[name])];
  const answers = port => new Promise(done => {
    (certificate ? https : http).get({ host: '127.0.0.1', port, agent: false, timeout: 1000, rejectUnauthorized: false }, answer => done(answer.resume() && true))
      .once('timeout', function () { this.destroy(); }).once('error', () => done(false));
  });
  await start('azurite', ['blob', 'queue', 'table'], {
    mark: data, signal: 'SIGTERM',
    run: () => launch('azurite', process.execPath, [script, '--silent', '--disableTelemetry', '--skipApiVersionCheck', '--location', data,
      ...service('blob'), ...service('queue'), ...service('table'), ...secure], { stdio: ['ipc'] }),
    ready: async () => await answers(ports.blob) && await answers(ports.queue),
    stop: child => child.send('shutdown', () => child.disconnect()),
  });
}

const starts = { postgres: startPostgres, azurite: startAzurite };

// Does what a request asks for, its parts side by side, each after whatever that part was asked before.
async function obey(request) {
  await Promise.all(Object.keys(starts).filter(name => request[name]).map(name => {
    const act = () => request.action === 'start' ? starts[name](request[name]) : stop(name, request[name].mode);
    return turns[name] = Promise.resolve(turns[name]).catch(() => {}).then(act);
  }));
  return ports;
}

const server = net.createServer({ allowHalfOpen: true }, socket => {
  const leave = () => {
    if (!users.delete(socket)) return socket.destroy();
    if (users.size > 0 || settings.graceMs > 0) socket.end(); // else it closes with the keeper itself
    if (users.size > 0) return;
    if (settings.graceMs > 0) idle = setTimeout(shutdown, settings.graceMs, 'nobody is left');
    else shutdown('nobody is left');
  };
  const say = answer => socket.writable && socket.write(JSON.stringify(answer) + '\n');
  const hear = request => {
    if (users.has(socket)) return obey(request).then(say, error => say({ error: error.message }));
    if (closing || request.token !== settings.token) throw new Error('not a user');
    clearTimeout(idle);
    users.add(socket);
    say({ keeper: process.pid });
  };
  socket.once('end', leave).once('close', leave).on('error', () => {});
  readline.createInterface({ input: socket }).on('line', line => {
    try { hear(JSON.parse(line)); } catch { socket.destroy(); }
  });
});

// Ends everything, in order; the process ends last, and with it the connection of whoever waits for that.
let closing = false;
async function shutdown(why) {
  if (closing) return;
  closing = true;
  console.error(why);
  server.close();
  await Promise.allSettled(Object.values(turns));
  await Promise.allSettled([stop('postgres', 'fast'), stop('azurite')]);
  fs.rmSync(settings.state, { force: true });
  fs.rmSync(settings.run, { recursive: true, force: true, maxRetries: 10 });
  process.exit();
}

process.once('SIGINT', shutdown).once('SIGTERM', shutdown).on('uncaughtException', error => shutdown(error.stack));
let idle = setTimeout(shutdown, 10000, 'nobody came');
server.listen(0, '127.0.0.1', saveState);
