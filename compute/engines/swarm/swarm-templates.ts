/**
 * Private templates of a Swarm: configs with the start settings of a pod, encrypted with a key that only this service has, since
 * managers show configs to all their clients. Images are not used, since nodes share no image storage. A label records the last use.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Refusal } from '../answers.ts';
import type { DockerApi, RegistryAuth } from '../docker/docker-api.ts';
import type { EngineCall } from '../engine-call.ts';
import { EngineError } from '../errors.ts';
import { instanceLabel } from '../pod-name.ts';
import type { StartSettings } from './service-body.ts';

export interface Template extends StartSettings {
  /** Registry credentials for the nodes, which pull the image themselves. */
  readonly registryAuth: RegistryAuth | undefined;
}

export interface SwarmTemplateOptions {
  readonly instance: string;
  /** At least 32 bytes. After a change of the key, existing templates cannot be decrypted and are not used again. */
  readonly key: Buffer;
  /** @returns milliseconds since 1970 */
  readonly now: () => number;
}

interface Config {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: {
    readonly Name: string;
    readonly Labels?: Readonly<Record<string, string>> | null;
    readonly Data?: string;
  };
}

const dayLabel = 'cloister.used-on';
const msPerDay = 86_400_000;
const idleDaysMax = 7;
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export class SwarmTemplates {
  readonly #api: DockerApi;
  readonly #options: SwarmTemplateOptions;
  readonly #sealingKey: Buffer;

  constructor(api: DockerApi, options: SwarmTemplateOptions) {
    if (options.key.length < 32) throw new RangeError('the key of templates must have at least 32 bytes');
    this.#api = api;
    this.#options = options;
    this.#sealingKey = Buffer.from(hkdfSync('sha256', options.key, '', 'cloister swarm template', 32));
  }

  /** @param owner owners never share a template · @returns the name of the existing or created template */
  async findOrCreate(template: Template, owner: string, call: EngineCall): Promise<string> {
    const variables = Object.entries(template.env).sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = [owner, template.image, template.command ?? null, variables, template.registryAuth ?? null];
    const digest = createHmac('sha256', this.#options.key).update(JSON.stringify(parts)).digest('hex').slice(0, 28);
    const name = `cloister-${this.#options.instance}-template-${digest}`;
    const known = await this.#find(name, call);
    if (known === undefined) {
      const Data = this.#seal(name, JSON.stringify(template)).toString('base64');
      await this.#api.send(call, {
        method: 'POST',
        path: '/configs/create',
        body: { Name: name, Labels: this.#labels(), Data },
      });
    } else if (known.Spec.Labels?.[dayLabel] !== this.#today()) {
      await this.#api.send(call, {
        method: 'POST',
        path: `/configs/${known.ID}/update`,
        query: { version: known.Version.Index },
        body: { ...known.Spec, Labels: this.#labels() },
      });
    }
    return name;
  }

  /** @throws {EngineError} ERR_IMAGE_UNAVAILABLE if the template was removed: prepare again */
  async read(name: string, call: EngineCall): Promise<Template> {
    const config = await this.#find(name, call);
    const data = config?.Spec.Data;
    if (data === undefined) throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'the prepared image was removed');
    return JSON.parse(this.#open(name, Buffer.from(data, 'base64'))) as Template;
  }

  /** Removes templates unused for seven days. Running pods do not depend on them. @returns the number of removed templates */
  async dropIdle(call: EngineCall): Promise<number> {
    const filters = JSON.stringify({ label: [`${instanceLabel}=${this.#options.instance}`] });
    const configs = await this.#api.send<Config[]>(
      { ...call, changes: false },
      { method: 'GET', path: '/configs', query: { filters } },
    );
    const idle = configs.filter(({ Spec }) => {
      const day = Spec.Labels?.[dayLabel];
      return day !== undefined && Number(this.#today()) - Number(day) >= idleDaysMax;
    });
    for (const { ID } of idle) await this.#api.send(call, { method: 'DELETE', path: `/configs/${ID}` });
    return idle.length;
  }

  async #find(name: string, call: EngineCall): Promise<Config | undefined> {
    return this.#api
      .send<Config>({ ...call, changes: false }, { method: 'GET', path: `/configs/${name}` })
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) return undefined;
        throw error;
      });
  }

  /** @returns nonce, tag and ciphertext; the name is authenticated, so a config cannot be replaced by another */
  #seal(name: string, text: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#sealingKey, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]);
  }

  #open(name: string, bytes: Buffer): string {
    const opening = createDecipheriv(cipher, this.#sealingKey, bytes.subarray(0, nonceBytes));
    opening.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
    } catch (cause) {
      throw new EngineError('ERR_IMAGE_UNAVAILABLE', 'the prepared image was sealed with another key', { cause });
    }
  }

  #labels(): Record<string, string> {
    return { [instanceLabel]: this.#options.instance, [dayLabel]: this.#today() };
  }

  #today(): string {
    return String(Math.floor(this.#options.now() / msPerDay));
  }
}
