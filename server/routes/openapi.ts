/** `GET /v1/openapi.json`: what this interface takes and answers, for programs. */
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../schemas/openapi.ts';

export function descriptionRoutes(app: FastifyInstance): void {
  const text = JSON.stringify(openApiDocument);
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}
