/**
 * Private templates: images on the engine's own machine that hold a start command and its variables, so that no database
 * has to. Named by a keyed digest, which tells nothing; shared by identical deploys of one owner; dated by tags, because
 * tags are the only thing about an image that can be changed.
 */
import { createHmac } from 'node:crypto';
import { Refusal } from '../answers.ts';
import type { ContainerImage, PreparedImage } from '../engine.ts';
import { instanceLabel, podLabel } from '../pod-name.ts';
import type { Question } from '../question.ts';
import type { DockerApi } from './docker-api.ts';

export interface SshKit {
  /** A tar archive with `.cloister/start` and what it needs; see `compute/ssh-kit`. */
  readonly archive: Buffer;
  readonly sha256: string;
}

export interface TemplateOptions {
  readonly instance: string;
  /** Of at least 32 bytes. Another key makes all templates new ones. */
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
/** More than any build takes. */
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

  /** @param base the image, as the engine has it now: a newer one under the same name makes a new template */
  async findOrBuild(image: ContainerImage, base: ImageDetails, question: Question): Promise<PreparedImage> {
    const digest = this.#digest(image, base);
    const reference = `${this.#repository}:${digest}`;
    const asked = { ...question, changes: false };
    const known = (await this.#list(asked)).some(({ tags }) => tags.includes(reference));
    if (!known) await this.#build(image, base, digest, question);
    await this.#touch(digest, question);
    return { reference };
  }

  /** @returns how many were removed: those that nobody used for seven days, and what they were made from */
  async dropIdle(question: Question): Promise<number> {
    await this.#dropHalfBuilt(question);
    const images = await this.#list({ ...question, changes: false });
    const today = this.#today();
    const used = await this.#referencesInUse(question);
    let dropped = 0;
    for (const { tags, labels } of images) {
      const lastDay = Math.max(0, ...tags.map(dayOf));
      if (today - lastDay < idleDaysMax || tags.some((tag) => used.has(tag))) continue;
      for (const tag of tags) await this.#remove(tag, question);
      // What the tenant had fetched goes too; an engine keeps what something else still needs.
      const base = labels[baseLabel];
      if (base !== undefined) await this.#remove(base, question);
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

  /** A container is made, given the kit, kept as an image and thrown away; it never runs. */
  async #build(image: ContainerImage, base: ImageDetails, digest: string, question: Question): Promise<void> {
    const { kit, instance } = this.#options;
    const { Entrypoint, Cmd } = base.Config;
    const words = image.command ?? Cmd ?? [];
    const env = { ...image.env, ...(image.jupyter ? { CLOISTER_JUPYTER: '1' } : {}) };
    const labels = {
      [templateLabel]: digest,
      [instanceLabel]: instance,
      ...(image.source === 'tenant' ? { [baseLabel]: image.image } : {}),
    };
    const { Id } = await this.#api.send<{ Id: string }>(question, {
      method: 'POST',
      path: '/containers/create',
      body: {
        Image: base.Id,
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        // With the kit, the image's own entry point becomes the beginning of the command that `start` runs.
        ...(kit === undefined
          ? { Cmd: words }
          : { Entrypoint: [startProgram], Cmd: [...(Entrypoint ?? []), ...words] }),
        User: '0:0',
        Labels: labels,
      },
    });
    try {
      if (kit !== undefined) {
        await this.#api.send(question, {
          method: 'PUT',
          path: `/containers/${Id}/archive`,
          query: { path: '/' },
          archive: kit.archive,
        });
      }
      await this.#api.send(question, {
        method: 'POST',
        path: '/commit',
        query: { container: Id, repo: this.#repository, tag: digest },
        body: {},
      });
    } finally {
      await this.#api.send(question, { method: 'DELETE', path: `/containers/${Id}`, query: { force: true, v: true } });
    }
  }

  /** Containers that a template was being made from when this service ended. */
  async #dropHalfBuilt(question: Question): Promise<void> {
    const label = [templateLabel, `${instanceLabel}=${this.#options.instance}`];
    const containers = await this.#api.send<{ Id: string; Created: number; Labels: Record<string, string> }[]>(
      { ...question, changes: false },
      { method: 'GET', path: '/containers/json', query: { all: true, filters: JSON.stringify({ label }) } },
    );
    for (const { Id, Created, Labels } of containers) {
      // A pod has the labels of its template as well.
      if (Labels[podLabel] !== undefined || this.#options.now() - Created * 1000 < buildMsMax) continue;
      await this.#api.send(question, { method: 'DELETE', path: `/containers/${Id}`, query: { force: true, v: true } });
    }
  }

  async #touch(digest: string, question: Question): Promise<void> {
    const today = `${digest}.${this.#today()}`;
    const images = await this.#list({ ...question, changes: false });
    const tags = images.find(({ tags }) => tags.includes(`${this.#repository}:${digest}`))?.tags ?? [];
    if (tags.includes(`${this.#repository}:${today}`)) return;
    await this.#api.send(question, {
      method: 'POST',
      path: `/images/${this.#repository}:${digest}/tag`,
      query: { repo: this.#repository, tag: today },
    });
    for (const old of tags.filter((tag) => dayOf(tag) > 0)) await this.#remove(old, question);
  }

  async #list(question: Question): Promise<{ tags: readonly string[]; labels: Readonly<Record<string, string>> }[]> {
    const { instance } = this.#options;
    const images = await this.#api.send<ImageSummary[]>(question, {
      method: 'GET',
      path: '/images/json',
      query: { filters: JSON.stringify({ label: [`${instanceLabel}=${instance}`] }) },
    });
    return images
      .filter(({ Labels }) => Labels?.[templateLabel] !== undefined)
      .map(({ RepoTags, Labels }) => ({
        // A template that is an image made from another has the tags of both.
        tags: (RepoTags ?? []).filter((tag) => tag.startsWith(`${this.#repository}:`)),
        labels: Labels ?? {},
      }));
  }

  async #referencesInUse(question: Question): Promise<Set<string>> {
    const containers = await this.#api.send<{ Image: string }[]>(
      { ...question, changes: false },
      { method: 'GET', path: '/containers/json', query: { all: true } },
    );
    return new Set(containers.map(({ Image }) => Image));
  }

  /** Someone else may have removed it, or still need it: neither is an error. */
  async #remove(reference: string, question: Question): Promise<void> {
    await this.#api.send(question, { method: 'DELETE', path: `/images/${reference}` }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }

  #today(): number {
    return Math.floor(this.#options.now() / msPerDay);
  }
}

/** @returns the day since 1970 that a tag such as `name:digest.20500` tells, else 0 */
function dayOf(tag: string): number {
  return Number(/\.(\d+)$/.exec(tag)?.[1] ?? 0);
}
