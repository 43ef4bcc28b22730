/** What crosses between an engine's thread and the thread that serves people: plain data only. */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { CodedMessage } from '../pool/coded-message.ts';
import type { ChatEvent, ChatRequest, EngineStats, ModelFacts, PinnedPrefix, PrefixOptions } from './request.ts';

export type ToEngine =
  | { readonly kind: 'chat'; readonly id: number; readonly request: ChatRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Answered by `pinned` or `notPinned`. */
  | {
      readonly kind: 'pin';
      readonly id: number;
      readonly messages: readonly ChatMessage[];
      readonly options: PrefixOptions;
    }
  /** Answered by `alive` when a step has completed; not answered while steps fail. */
  | { readonly kind: 'probe' }
  /** Finish what runs, then free the model and answer `closed`. */
  | { readonly kind: 'drain' }
  /** End running work with an error, then as `drain`. */
  | { readonly kind: 'stop' };

export type FromEngine =
  | { readonly kind: 'loading'; readonly fraction: number }
  | { readonly kind: 'ready'; readonly model: ModelFacts }
  | { readonly kind: 'failed'; readonly error: CodedMessage }
  /** Everything one step brought, for all requests: `StepNews` as JSON, which costs a third of cloning the objects. */
  | { readonly kind: 'events'; readonly news: string }
  | { readonly kind: 'pinned'; readonly id: number; readonly prefix: PinnedPrefix; readonly stats: EngineStats }
  | { readonly kind: 'notPinned'; readonly id: number; readonly error: CodedMessage }
  | { readonly kind: 'alive' }
  | { readonly kind: 'closed' };

export interface StepNews {
  readonly events: readonly RequestEvent[];
  readonly stats: EngineStats;
}

export type RequestEvent = {
  readonly id: number;
  readonly event: ChatEvent | { readonly kind: 'error'; readonly error: CodedMessage } | { readonly kind: 'done' };
};
