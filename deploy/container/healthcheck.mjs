/**
 * Exits with 0 if this container's process is ready. The server answers /health/ready; the compute service, which has no such
 * route, answers any request. The certificate is not checked: the request does not leave the container.
 */
import { readFileSync } from 'node:fs';
import https from 'node:https';

const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
const isCompute = words.includes('compute');
const port = process.env.CLOISTER_HEALTH_PORT ?? (isCompute ? '8444' : (process.env.CLOISTER_PORT ?? '8443'));
const path = isCompute ? '/' : '/health/ready';
const request = https.get({ host: '127.0.0.1', port, path, rejectUnauthorized: false, timeout: 4000 }, (response) => {
  response.resume();
  const isReady = isCompute ? response.statusCode < 500 : response.statusCode === 200;
  process.exit(isReady ? 0 : 1);
});
request.on('timeout', () => request.destroy(new Error('timeout')));
request.on('error', () => process.exit(1));
