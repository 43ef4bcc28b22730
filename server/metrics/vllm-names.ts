/** Publishes the metrics of chats under vLLM's names as well, for the schedulers and dashboards that look for these names. */
import type { Metric, Registry } from 'prom-client';

/** Our name without `cloister_`, and vLLM's names without `vllm:`. The values and labels are the same. */
const vllmNames: Readonly<Record<string, readonly string[]>> = {
  num_requests_running: ['num_requests_running'],
  num_requests_waiting: ['num_requests_waiting'],
  // The second name is the one of vLLM before 0.10.
  kv_cache_usage_perc: ['kv_cache_usage_perc', 'gpu_cache_usage_perc'],
  prefix_cache_queries_total: ['prefix_cache_queries_total'],
  prefix_cache_hits_total: ['prefix_cache_hits_total'],
  prompt_tokens_total: ['prompt_tokens_total'],
  generation_tokens_total: ['generation_tokens_total'],
  request_success_total: ['request_success_total'],
  request_prompt_tokens: ['request_prompt_tokens'],
  request_generation_tokens: ['request_generation_tokens'],
  time_to_first_token_seconds: ['time_to_first_token_seconds'],
  // The second name is the one of vLLM before 0.11.
  inter_token_latency_seconds: ['inter_token_latency_seconds', 'time_per_output_token_seconds'],
  request_time_per_output_token_seconds: ['request_time_per_output_token_seconds'],
  e2e_request_latency_seconds: ['e2e_request_latency_seconds'],
  request_queue_time_seconds: ['request_queue_time_seconds'],
  request_prefill_time_seconds: ['request_prefill_time_seconds'],
  request_decode_time_seconds: ['request_decode_time_seconds'],
  request_inference_time_seconds: ['request_inference_time_seconds'],
  spec_decode_num_draft_tokens_total: ['spec_decode_num_draft_tokens_total'],
  spec_decode_num_accepted_tokens_total: ['spec_decode_num_accepted_tokens_total'],
};

/** For a registry that has the metrics of chats. @throws {Error} if one of them is missing */
export function publishVllmNames(registry: Registry): void {
  for (const [own, names] of Object.entries(vllmNames)) {
    const metric = registry.getSingleMetric(`cloister_${own}`);
    if (metric === undefined) throw new Error(`there is no metric cloister_${own}`);
    for (const name of names) registry.registerMetric(renamed(metric, { from: `cloister_${own}`, to: `vllm:${name}` }));
  }
}

/** A metric as the registry reads it. */
interface Read {
  readonly name: string;
  readonly values: readonly { readonly metricName?: string }[];
}

function renamed(metric: Metric, { from, to }: { from: string; to: string }): Metric {
  const rename = (name: string) => to + name.slice(from.length);
  const alias = {
    name: to,
    async get() {
      const read = (await metric.get()) as unknown as Read;
      // The samples of a histogram have names of their own: `…_bucket`, `…_sum` and `…_count`.
      const values = read.values.map((value) =>
        value.metricName === undefined ? value : { ...value, metricName: rename(value.metricName) },
      );
      return { ...read, name: to, values };
    },
    reset: () => undefined,
  };
  return alias as unknown as Metric;
}
