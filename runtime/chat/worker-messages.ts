/** The messages between an engine's thread and the serving thread: plain data only. */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { CodedMessage } from '../pool/coded-message.ts';
import type { ChatEvent, EngineStats, ModelFacts, PinnedPrefix, PrefixOptions, PromptRequest } from './request.ts';

export type ToEngine =
  | { readonly kind: 'chat'; readonly id: number; readonly request: PromptRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  /** The reply is `pinned` or `notPinned`. */
  | {
      readonly kind: 'pin';
      readonly id: number;
      readonly messages: readonly ChatMessage[];
      readonly options: PrefixOptions;
    }
  /** The reply is `alive` when a step has completed; there is no reply while steps fail. */
  | { readonly kind: 'probe' }
  /** Finish running work, then free the model and reply `closed`. */
  | { readonly kind: 'drain' }
  /** End running work with an error, then continue as for `drain`. */
  | { readonly kind: 'stop' };

export type FromEngine =
  | { readonly kind: 'loading'; readonly fraction: number }
  | { readonly kind: 'ready'; readonly model: ModelFacts }
  | { readonly kind: 'failed'; readonly error: CodedMessage }
  /** The events of one step, for all requests: `StepReport` as JSON, which costs a third of cloning the objects. */
  | { readonly kind: 'events'; readonly report: string }
  | { readonly kind: 'pinned'; readonly id: number; readonly prefix: PinnedPrefix; readonly stats: EngineStats }
  | { readonly kind: 'notPinned'; readonly id: number; readonly error: CodedMessage }
  | { readonly kind: 'alive' }
  | { readonly kind: 'closed' };

export interface StepReport {
  readonly events: readonly RequestEvent[];
  readonly stats: EngineStats;
}

export type RequestEvent = {
  readonly id: number;
  readonly event: ChatEvent | { readonly kind: 'error'; readonly error: CodedMessage } | { readonly kind: 'done' };
};
