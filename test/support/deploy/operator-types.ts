/**
 * The types that operators add to Kubernetes, as far as `deploy/kubernetes` uses them, from the documentation of KEDA, the Prometheus
 * operator and CloudNativePG. Unlike the schemas of Kubernetes, these refuse members that they do not know.
 */
import Type, { type TProperties, type TSchema } from 'typebox';
import Value from 'typebox/value';

const strict = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });
const optional = Type.Optional;
const text = Type.String({ minLength: 1 });
const count = Type.Integer({ minimum: 0 });
const texts = Type.Record(Type.String(), Type.String());
const metadata = strict({ name: text, namespace: text, labels: optional(texts), annotations: optional(texts) });
const labels = strict({ matchLabels: texts });

/** @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/ */
const scalingRules = strict({
  stabilizationWindowSeconds: optional(count),
  selectPolicy: optional(Type.Enum(['Max', 'Min', 'Disabled'])),
  policies: optional(
    Type.Array(strict({ type: Type.Enum(['Pods', 'Percent']), value: count, periodSeconds: count }), { minItems: 1 }),
  ),
});

/** @see https://keda.sh/docs/latest/reference/scaledobject-spec/ and https://keda.sh/docs/latest/scalers/prometheus/ */
const scaledObject = strict({
  apiVersion: Type.Literal('keda.sh/v1alpha1'),
  kind: Type.Literal('ScaledObject'),
  metadata,
  spec: strict({
    scaleTargetRef: strict({
      apiVersion: optional(text),
      kind: optional(text),
      name: text,
      envSourceContainerName: optional(text),
    }),
    pollingInterval: optional(count),
    cooldownPeriod: optional(count),
    initialCooldownPeriod: optional(count),
    idleReplicaCount: optional(count),
    minReplicaCount: optional(count),
    maxReplicaCount: optional(count),
    advanced: optional(
      strict({
        restoreToOriginalReplicaCount: optional(Type.Boolean()),
        horizontalPodAutoscalerConfig: optional(
          strict({
            name: optional(text),
            behavior: optional(strict({ scaleDown: optional(scalingRules), scaleUp: optional(scalingRules) })),
          }),
        ),
      }),
    ),
    triggers: Type.Array(
      strict({
        type: Type.Literal('prometheus'),
        name: optional(text),
        metricType: optional(Type.Enum(['AverageValue', 'Value'])),
        useCachedMetrics: optional(Type.Boolean()),
        authenticationRef: optional(strict({ name: text, kind: optional(text) })),
        // All values are texts.
        metadata: strict({
          serverAddress: text,
          query: text,
          threshold: Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$' }),
          activationThreshold: optional(text),
          namespace: optional(text),
          ignoreNullValues: optional(Type.Enum(['true', 'false'])),
          timeout: optional(text),
        }),
      }),
      { minItems: 1 },
    ),
  }),
});

/** @see https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.ServiceMonitor */
const serviceMonitor = strict({
  apiVersion: Type.Literal('monitoring.coreos.com/v1'),
  kind: Type.Literal('ServiceMonitor'),
  metadata,
  spec: strict({
    jobLabel: optional(text),
    targetLabels: optional(Type.Array(text)),
    podTargetLabels: optional(Type.Array(text)),
    selector: labels,
    namespaceSelector: optional(strict({ any: optional(Type.Boolean()), matchNames: optional(Type.Array(text)) })),
    endpoints: Type.Array(
      strict({
        port: text,
        path: optional(text),
        scheme: optional(Type.Enum(['http', 'https'])),
        interval: optional(Type.String({ pattern: '^[0-9]+(ms|s|m)$' })),
        scrapeTimeout: optional(Type.String({ pattern: '^[0-9]+(ms|s|m)$' })),
        honorLabels: optional(Type.Boolean()),
      }),
      { minItems: 1 },
    ),
  }),
});

/** @see https://cloudnative-pg.io/documentation/current/cloudnative-pg.v1/ */
const cluster = strict({
  apiVersion: Type.Literal('postgresql.cnpg.io/v1'),
  kind: Type.Literal('Cluster'),
  metadata,
  spec: strict({
    instances: Type.Integer({ minimum: 1 }),
    imageName: optional(text),
    inheritedMetadata: optional(strict({ labels: optional(texts), annotations: optional(texts) })),
    bootstrap: optional(strict({ initdb: strict({ database: text, owner: text }) })),
    postgresql: optional(
      strict({
        synchronous: optional(
          strict({
            method: Type.Enum(['any', 'first']),
            number: Type.Integer({ minimum: 1 }),
            dataDurability: optional(Type.Enum(['required', 'preferred'])),
          }),
        ),
        // All values are texts.
        parameters: optional(texts),
      }),
    ),
    storage: strict({ size: text, storageClass: optional(text) }),
  }),
});

const schemas: Readonly<Record<string, TSchema>> = {
  ScaledObject: scaledObject,
  ServiceMonitor: serviceMonitor,
  Cluster: cluster,
};

/** Whether an operator adds the type. */
export function isOperatorType({ kind }: { readonly kind: string }): boolean {
  return schemas[kind] !== undefined;
}

/** @throws {Error} that names each wrong member */
export function validateOperatorType(resource: { readonly kind: string }): void {
  const errors = [...Value.Errors(schemas[resource.kind]!, resource)];
  if (errors.length > 0)
    throw new Error(errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('\n'));
}
