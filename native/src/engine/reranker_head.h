#pragma once

#include <string>

#include "llama.h"

// Throws ERR_MODEL_LOAD unless llama.cpp computes one logit for a pair of texts with this model as its training did.
void require_reranker(const llama_model* model, const std::string& path);
