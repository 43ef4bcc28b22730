#!/usr/bin/env bash
# Claude Code in the current folder, through the Messages API.
#
#     npm install --global @anthropic-ai/claude-code
#     MODEL=<id> API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem examples/15-claude-code.sh 'Write a file.'
#
# The model needs tools and a context of at least 32,000 tokens; the demo model has neither.
set -euo pipefail
: "${MODEL:?set MODEL to the id of a model with tools}" "${API_KEY:?set API_KEY to a key of the server}"

# The client adds /v1 itself. The address must be a name: it refuses certificates of a development authority with addresses.
base_url=${BASE_URL:-https://localhost:8443/v1}
export ANTHROPIC_BASE_URL=${base_url%/v1} ANTHROPIC_AUTH_TOKEN=$API_KEY
export NODE_EXTRA_CA_CERTS=${CERTIFICATE:-.cloister/certificate.pem}
# Small tasks go to a second model: the same one.
export ANTHROPIC_MODEL=$MODEL ANTHROPIC_DEFAULT_HAIKU_MODEL=$MODEL
# No telemetry, no updates.
export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
exec claude --print --permission-mode acceptEdits "${1:-Write a file.}"
