/**
 * Private templates: images on the engine that contain a start command and its variables, so that the database does not.
 * Identical deploys of one owner share a template. Its name is a keyed digest, which reveals nothing. A tag records the day of its
 * last use, because tags are the only mutable part of an image.
 */
import { createHmac } from 'node:crypto';
import { Refusal } from '../answers.ts';
import type { ContainerImage, PreparedImage } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { instanceLabel, podLabel } from '../pod-name.ts';
import type { DockerApi } from './docker-api.ts';

export interface SshKit {
  /** A tar archive with `.cloister/start` and its programs; see `compute/ssh-kit`. */
  readonly archive: Buffer;
  readonly sha256: string;
}

export interface TemplateOptions {
  readonly instance: string;
  /** At least 32 bytes. After a change of the key, existing templates are not used again. */
  readonly key: Buffer;
  readonly kit: SshKit | undefined;
  /** @returns milliseconds since 1970 */
  readonly now: () => number;
}

export interface ImageDetails {
  readonly Id: string;
  readonly Architecture: string;
  readonly Config: { readonly Entrypoint?: readonly string[] | null; readonly Cmd?: readonly string[] | null };
}

interface ImageSummary {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly Labels: Readonly<Record<string, string>> | null;
}

const startProgram = '/.cloister/start';
const baseLabel = 'cloister.base';
const templateLabel = 'cloister.template';
const msPerDay = 86_400_000;
const idleDaysMax = 7;
/** Longer than any build takes. */
const buildMsMax = 3_600_000;

export class Templates {
  readonly #api: DockerApi;
  readonly #options: TemplateOptions;
  readonly #repository: string;

  constructor(api: DockerApi, options: TemplateOptions) {
    if (options.key.length < 32) throw new RangeError('the key of templates must have at least 32 bytes');
    this.#api = api;
    this.#options = options;
    this.#repository = `localhost/cloister-${options.instance}-template`;
  }

  /** @param base the engine's current version of the image; each version gets its own template */
  async findOrBuild(image: ContainerImage, base: ImageDetails, call: EngineCall): Promise<PreparedImage> {
    const digest = this.#digest(image, base);
    const reference = `${this.#repository}:${digest}`;
    const asked = { ...call, changes: false };
    const known = (await this.#list(asked)).some(({ tags }) => tags.includes(reference));
    if (!known) await this.#build(image, base, digest, call);
    await this.#touch(digest, call);
    return { reference };
  }

  /** Removes templates unused for seven days, and the tenants' images they were built from. @returns the number of templates */
  async dropIdle(call: EngineCall): Promise<number> {
    await this.#dropHalfBuilt(call);
    const images = await this.#list({ ...call, changes: false });
    const today = this.#today();
    const used = await this.#referencesInUse(call);
    let dropped = 0;
    for (const { tags, labels } of images) {
      const lastDay = Math.max(0, ...tags.map(dayOf));
      if (today - lastDay < idleDaysMax || tags.some((tag) => used.has(tag))) continue;
      for (const tag of tags) await this.#remove(tag, call);
      // Also removes the tenant's fetched image; the engine refuses if another image or container needs it.
      const base = labels[baseLabel];
      if (base !== undefined) await this.#remove(base, call);
      dropped++;
    }
    return dropped;
  }

  #digest({ owner, source, command, env = {}, jupyter = false }: ContainerImage, base: ImageDetails): string {
    const { key, kit } = this.#options;
    const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = [owner, source, base.Id, command ?? null, variables, jupyter, kit?.sha256 ?? null];
    return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, 40);
  }

  /** Creates a container, adds the kit, commits it as an image and removes it; the container never runs. */
  async #build(image: ContainerImage, base: ImageDetails, digest: string, call: EngineCall): Promise<void> {
    const { kit, instance } = this.#options;
    const { Entrypoint, Cmd } = base.Config;
    const words = image.command ?? Cmd ?? [];
    const env = { ...image.env, ...(image.jupyter ? { CLOISTER_JUPYTER: '1' } : {}) };
    const labels = {
      [templateLabel]: digest,
      [instanceLabel]: instance,
      ...(image.source === 'tenant' ? { [baseLabel]: image.image } : {}),
    };
    const { Id } = await this.#api.send<{ Id: string }>(call, {
      method: 'POST',
      path: '/containers/create',
      body: {
        Image: base.Id,
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        // With the kit, `start` is the entry point and runs the image's entry point as part of its command.
        ...(kit === undefined
          ? { Cmd: words }
          : { Entrypoint: [startProgram], Cmd: [...(Entrypoint ?? []), ...words] }),
        User: '0:0',
        Labels: labels,
      },
    });
    try {
      if (kit !== undefined) {
        await this.#api.send(call, {
          method: 'PUT',
          path: `/containers/${Id}/archive`,
          query: { path: '/' },
          archive: kit.archive,
        });
      }
      await this.#api.send(call, {
        method: 'POST',
        path: '/commit',
        query: { container: Id, repo: this.#repository, tag: digest },
        body: {},
      });
    } finally {
      await this.#api.send(call, { method: 'DELETE', path: `/containers/${Id}`, query: { force: true, v: true } });
    }
  }

  /** Removes containers of builds that were interrupted by the end of this service. */
  async #dropHalfBuilt(call: EngineCall): Promise<void> {
    const label = [templateLabel, `${instanceLabel}=${this.#options.instance}`];
    const containers = await this.#api.send<{ Id: string; Created: number; Labels: Record<string, string> }[]>(
      { ...call, changes: false },
      { method: 'GET', path: '/containers/json', query: { all: true, filters: JSON.stringify({ label }) } },
    );
    for (const { Id, Created, Labels } of containers) {
      // Pods inherit the labels of their template.
      if (Labels[podLabel] !== undefined || this.#options.now() - Created * 1000 < buildMsMax) continue;
      await this.#api.send(call, { method: 'DELETE', path: `/containers/${Id}`, query: { force: true, v: true } });
    }
  }

  async #touch(digest: string, call: EngineCall): Promise<void> {
    const today = `${digest}.${this.#today()}`;
    const images = await this.#list({ ...call, changes: false });
    const tags = images.find(({ tags }) => tags.includes(`${this.#repository}:${digest}`))?.tags ?? [];
    if (tags.includes(`${this.#repository}:${today}`)) return;
    await this.#api.send(call, {
      method: 'POST',
      path: `/images/${this.#repository}:${digest}/tag`,
      query: { repo: this.#repository, tag: today },
    });
    for (const old of tags.filter((tag) => dayOf(tag) > 0)) await this.#remove(old, call);
  }

  async #list(call: EngineCall): Promise<{ tags: readonly string[]; labels: Readonly<Record<string, string>> }[]> {
    const { instance } = this.#options;
    const images = await this.#api.send<ImageSummary[]>(call, {
      method: 'GET',
      path: '/images/json',
      query: { filters: JSON.stringify({ label: [`${instanceLabel}=${instance}`] }) },
    });
    return images
      .filter(({ Labels }) => Labels?.[templateLabel] !== undefined)
      .map(({ RepoTags, Labels }) => ({
        // An image can have tags of other repositories.
        tags: (RepoTags ?? []).filter((tag) => tag.startsWith(`${this.#repository}:`)),
        labels: Labels ?? {},
      }));
  }

  async #referencesInUse(call: EngineCall): Promise<Set<string>> {
    const containers = await this.#api.send<{ Image: string }[]>(
      { ...call, changes: false },
      { method: 'GET', path: '/containers/json', query: { all: true } },
    );
    return new Set(containers.map(({ Image }) => Image));
  }

  /** Ignores refusals: the image may be removed already, or still be in use. */
  async #remove(reference: string, call: EngineCall): Promise<void> {
    await this.#api.send(call, { method: 'DELETE', path: `/images/${reference}` }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }

  #today(): number {
    return Math.floor(this.#options.now() / msPerDay);
  }
}

/** @returns the day since 1970 in a tag such as `name:digest.20500`; 0 if it contains none */
function dayOf(tag: string): number {
  return Number(/\.(\d+)$/.exec(tag)?.[1] ?? 0);
}
