# The command line in a container, on nothing: the workflow release.yml builds it of the programs of a release. Its context has a folder for
# each architecture, and the certificates of the authorities. Reading a pipe takes a temporary folder: docker run --tmpfs /tmp.
#   docker run --rm --volume "$PWD:/work" --env SHEETDROP_URL --env SHEETDROP_TOKEN IMAGE upload prices.csv
FROM scratch
ARG TARGETARCH
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY ${TARGETARCH}/sheetdrop /sheetdrop
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/sheetdrop"]
