# The static program alone. Roots of certificates are inside the program; nothing else is needed.
#
# The context holds the program of each platform, as docs/releasing.md says:
#   linux/amd64/mcp-assay, linux/arm64/mcp-assay
FROM scratch
ARG TARGETPLATFORM
COPY ${TARGETPLATFORM}/mcp-assay /mcp-assay
# Recordings, reports and captures are in the folder that is mounted here.
WORKDIR /data
USER 65532:65532
ENTRYPOINT ["/mcp-assay"]
