import type { ServedModel } from './served-model.ts';

export interface ModelQueue {
  /** Answers, images or batches that are computed. */
  readonly running: number;
  /** Requests, or texts of embedding models and rerankers, that wait. */
  readonly waiting: number;
}

/** An adapter shares the queue of its model. */
export function queueOf(model: ServedModel): ModelQueue {
  switch (model.kind) {
    case 'chat': {
      const { running, preparing, waiting } = model.engine.stats;
      return { running, waiting: preparing + waiting };
    }
    case 'image': {
      const { running, waiting } = model.engine.stats;
      return { running, waiting };
    }
    case 'embedding':
    case 'reranker': {
      const { running, waitingTexts } = model.engine.stats;
      return { running, waiting: waitingTexts };
    }
  }
}
