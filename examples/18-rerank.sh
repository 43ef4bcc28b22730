#!/usr/bin/env bash
# Documents in the order of their relevance to a question, with curl, in the form of Cohere's and Jina's APIs.
#
#     npm start -- --model cloister-demo-TEE,cloister-demo-reranker-TEE
#     BASE_URL=https://localhost:8443/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem examples/18-rerank.sh
set -euo pipefail
: "${API_KEY:?set it to the key that \`npm start\` prints}"

curl -sS --fail-with-body --cacert "${CERTIFICATE:-.cloister/certificate.pem}" "${BASE_URL:-https://localhost:8443/v1}/rerank" \
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' --data @- <<'JSON' | jq -r '.results[] | "\(.relevance_score) \(.document.text)"'
{
  "model": "cloister-demo-reranker-TEE",
  "query": "When are refunds paid?",
  "documents": [
    "Our office is closed on Sundays.",
    "A refund is paid within five days.",
    "The train to the coast leaves at noon."
  ],
  "return_documents": true
}
JSON
