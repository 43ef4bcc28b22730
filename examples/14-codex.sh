#!/usr/bin/env bash
# Codex in the current folder, through the Responses API. Its settings go to a file that `codex --profile cloister` also reads.
#
#     npm install --global @openai/codex
#     MODEL=<id> API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem examples/14-codex.sh 'Write a file.'
#
# The model needs tools and a context of at least 32,000 tokens; the demo model has neither.
set -euo pipefail
: "${MODEL:?set MODEL to the id of a model with tools}" "${API_KEY:?set API_KEY to a key of the server}"

folder=${CODEX_HOME:-$HOME/.codex}
mkdir -p "$folder"
cat > "$folder/cloister.config.toml" <<TOML
model = "$MODEL"
model_provider = "cloister"
# The server runs no tools of its own, and takes functions only.
web_search = "disabled"

[agents]
enabled = false

[analytics]
enabled = false

[model_providers.cloister]
name = "Cloister"
base_url = "${BASE_URL:-https://localhost:8443/openai/v1}"
env_key = "API_KEY"
wire_api = "responses"
TOML

export API_KEY CODEX_CA_CERTIFICATE=${CERTIFICATE:-.cloister/certificate.pem}
exec codex exec --profile cloister --skip-git-repo-check --sandbox workspace-write "${1:-Write a file.}"
