/** Reads the bodies of `POST /v1/rerank` and `/v1/score`, on the serving thread or on the thread for large bodies. */
import type { CallReader } from '../../bodies/call-reader.ts';
import { type RerankCall, readRerankCall, readScoreCall, type ScoreCall } from './schema.ts';

export const rerankCallReader: CallReader<RerankCall, undefined> = { name: 'rerank', read: readRerankCall };
export const scoreCallReader: CallReader<ScoreCall, undefined> = { name: 'score', read: readScoreCall };
