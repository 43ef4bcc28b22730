/** Prometheus metrics of chats, with vLLM's names and types and the prefix `cloister_`. */
import type { EngineStats } from '@cloister/runtime/chat/request';
import { Counter, Histogram, type Registry } from 'prom-client';
import { requestBuckets, tokenBuckets } from '../../metrics/buckets.ts';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import { RecentAnswers } from './recent-answers.ts';

export interface ChatMetrics {
  /** Starts the clock of one chat request. */
  beginChat(request: { model: string; choices: number }): ChatWatch;
  /** Mean time of recent answers of a model, from their first step to their last token; undefined before the first. */
  recentAnswerMs(model: string): number | undefined;
}

/** Measures the events of one request. */
export interface ChatWatch {
  /** The account may run the request, which now goes to the engine. */
  admitted(): void;
  saw(event: AnswerEvent): void;
  /** The answer was aborted or refused. */
  failed(code: string): void;
}

/** Buckets as in vLLM, seconds. */
const firstTokenBuckets = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640,
];
const nextTokenBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];

/** Registers the metrics in the registry of `buildMetrics`. @param clock milliseconds, monotonic */
export function buildChatMetrics(
  registry: Registry,
  { engines, clock }: { engines: () => Iterable<{ id: string; stats: EngineStats }>; clock: () => number },
): ChatMetrics {
  registerEngineStats(registry, engines);
  const chat = chatInstruments(registry);
  const recent = new RecentAnswers();
  return {
    beginChat: (request) => watchChat(chat, { ...request, clock, recent }),
    recentAnswerMs: (model) => recent.meanMs(model),
  };
}

type ChatInstruments = ReturnType<typeof chatInstruments>;

function chatInstruments(registry: Registry) {
  const registers = [registry];
  const labelNames = ['model_name'] as const;
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `cloister_${name}`, help, labelNames, buckets, registers });
  return {
    firstToken: histogram(
      'time_to_first_token_seconds',
      'Time from the arrival of a request to its first token.',
      firstTokenBuckets,
    ),
    queued: histogram('request_queue_time_seconds', 'Time that a request waited for a free sequence.', requestBuckets),
    prefill: histogram('request_prefill_time_seconds', 'Time from the sequence to the first token.', requestBuckets),
    decode: histogram('request_decode_time_seconds', 'Time from the first token to the last one.', requestBuckets),
    inference: histogram('request_inference_time_seconds', 'Time of prefill and decode.', requestBuckets),
    meanToken: histogram(
      'request_time_per_output_token_seconds',
      'Decode time of a request, per token after the first.',
      nextTokenBuckets,
    ),
    promptTokens: histogram('request_prompt_tokens', 'Tokens of each prompt.', tokenBuckets),
    answerTokens: histogram('request_generation_tokens', 'Tokens of each answer.', tokenBuckets),
    nextToken: histogram('inter_token_latency_seconds', 'Time between two tokens of one answer.', nextTokenBuckets),
    whole: histogram(
      'e2e_request_latency_seconds',
      'Time from the arrival of a request to its last token.',
      requestBuckets,
    ),
    success: new Counter({
      name: 'cloister_request_success_total',
      help: 'Finished answers by reason.',
      labelNames: ['model_name', 'finished_reason'],
      registers,
    }),
    failure: new Counter({
      name: 'cloister_request_failure_total',
      help: 'Chat requests refused or aborted, by error code.',
      labelNames: ['model_name', 'code'],
      registers,
    }),
  };
}

function watchChat(
  instruments: ChatInstruments,
  { model, choices, clock, recent }: { model: string; choices: number; clock: () => number; recent: RecentAnswers },
): ChatWatch {
  const labels = { model_name: model };
  const arrivedAt = clock();
  const lastTokenAt: number[] = [];
  let admittedAt = arrivedAt;
  let [firstTokenAt, prefillMs, answerTokens] = [arrivedAt, 0, 0];
  let openChoices = choices;
  return {
    admitted() {
      admittedAt = clock();
    },
    saw(event) {
      const now = clock();
      switch (event.kind) {
        case 'started':
          firstTokenAt = now;
          // The engine measures the queue on its own thread.
          prefillMs = Math.max(0, now - admittedAt - event.queuedMs);
          instruments.queued.observe(labels, event.queuedMs / 1000);
          instruments.prefill.observe(labels, prefillMs / 1000);
          instruments.firstToken.observe(labels, (now - arrivedAt) / 1000);
          instruments.promptTokens.observe(labels, event.promptTokens);
          return;
        case 'further':
          instruments.promptTokens.observe(labels, event.promptTokens);
          return;
        case 'delta': {
          if (event.tokens === 0) return;
          const last = lastTokenAt[event.choice];
          if (last !== undefined) instruments.nextToken.observe(labels, (now - last) / 1000 / event.tokens);
          lastTokenAt[event.choice] = now;
          return;
        }
        case 'finished':
          instruments.success.inc({ ...labels, finished_reason: event.reason });
          instruments.answerTokens.observe(labels, event.completionTokens);
          answerTokens += event.completionTokens;
          openChoices -= 1;
          if (openChoices === 0) ended(now);
      }
    },
    failed: (code) => instruments.failure.inc({ ...labels, code }),
  };

  function ended(now: number): void {
    const decodeMs = now - firstTokenAt;
    instruments.decode.observe(labels, decodeMs / 1000);
    instruments.inference.observe(labels, (prefillMs + decodeMs) / 1000);
    recent.add(model, prefillMs + decodeMs);
    const further = answerTokens - choices;
    if (further > 0) instruments.meanToken.observe(labels, decodeMs / 1000 / (further / choices));
    instruments.whole.observe(labels, (now - arrivedAt) / 1000);
  }
}

/** The exact number would be the length of a prompt while a single request waits. */
const tokensStep = 1000;

function registerEngineStats(registry: Registry, engines: () => Iterable<{ id: string; stats: EngineStats }>): void {
  const { gauge, counter } = statsMetrics(registry, 'cloister_', engines);
  gauge(
    'num_requests_preparing',
    'Requests in preparation (rendering and tokenization), or queued for it.',
    (stats) => stats.preparing,
  );
  gauge('num_requests_running', 'Running requests.', (stats) => stats.running);
  gauge('num_requests_waiting', 'Queued requests.', (stats) => stats.waiting);
  gauge(
    'num_prompt_tokens_waiting',
    'Prompt tokens of queued and running requests that are not computed yet, rounded up to a thousand.',
    ({ promptTokensLeft }) => Math.ceil(promptTokensLeft / tokensStep) * tokensStep,
  );
  counter('prompt_tokens_total', 'Prompt tokens processed.', (stats) => stats.promptTokens);
  counter('generation_tokens_total', 'Tokens generated.', (stats) => stats.completionTokens);
  counter('prefix_cache_queries_total', 'Prompt tokens looked up in the prefix cache.', (stats) => stats.promptTokens);
  counter('prefix_cache_hits_total', 'Prompt tokens found in the prefix cache.', (stats) => stats.cachedPromptTokens);
  const shared = 'Prompt tokens found in prefixes shared by all accounts.';
  counter('prefix_cache_shared_hits_total', shared, (stats) => stats.sharedPromptTokens);
  gauge('kv_cache_usage_perc', 'Share of the KV cache that running answers use, in steps of 0.01.', kvUsage);
  gauge('kv_cache_tokens', 'Tokens that the KV cache has room for.', (stats) => stats.kvTokensMax);
  gauge('prefix_cache_bytes', 'Host memory of cached prefixes.', (stats) => stats.cachedStateBytes);
  gauge(
    'prefix_cache_pinned_bytes',
    'Host memory of prefixes shared by all accounts.',
    (stats) => stats.pinnedStateBytes,
  );
  counter('spec_decode_num_draft_tokens_total', 'Draft tokens of speculative decoding.', (stats) => stats.draftTokens);
  const accepted = 'Draft tokens that were accepted.';
  counter('spec_decode_num_accepted_tokens_total', accepted, (stats) => stats.acceptedDraftTokens);
  counter('engine_steps_total', 'Forward passes.', (stats) => stats.steps);
  counter('engine_decode_seconds_total', 'Time in forward passes.', (stats) => stats.decodeMs / 1000);
  const products = "Time of forward passes in this server's own matrix products.";
  counter('engine_product_seconds_total', products, (stats) => stats.productMs / 1000);
  const attention = "Time of forward passes in this server's own attention.";
  counter('engine_attention_seconds_total', attention, (stats) => stats.attentionMs / 1000);
  counter('engine_sample_seconds_total', 'Time in the sampler.', (stats) => stats.sampleMs / 1000);
  counter('engine_script_seconds_total', 'JavaScript time of engine steps.', (stats) => stats.scriptMs / 1000);
  gauge('engine_threads', 'Compute threads of the last forward pass.', (stats) => stats.threads);
}

/** Rounded up to a percent: the exact number would be the length of a prompt while a single answer runs. */
function kvUsage({ kvTokens, kvTokensMax }: EngineStats): number {
  return kvTokensMax === 0 ? 0 : Math.ceil((100 * kvTokens) / kvTokensMax) / 100;
}
