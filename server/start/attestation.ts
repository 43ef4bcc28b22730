/**
 * Everything that a running server needs to prove its identity: the platform, the keys created in this process, and the
 * enclave that exists once the start is measured. The composition root holds one and passes its parts on.
 */
import { writeFileSync } from 'node:fs';
import type { SourceProvenance } from '@cloister/attestation/aci/report';
import { gpuStartNonceOf } from '@cloister/attestation/base/report-data';
import { openPlatform } from '@cloister/attestation/guest/open-platform';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import { formatPemChain } from '@cloister/attestation/x509/pem';
import { readMappedLibraries } from '../enclave/build-facts.ts';
import type { Enclave } from '../enclave/enclave.ts';
import { admitGpus, type GpuSystem, type MeasuredGpus } from '../enclave/gpu-admission.ts';
import {
  isMeasured,
  laterModel,
  type MeasuredAgent,
  type ProvisionFacts,
  requireMeasurable,
  type StartFacts,
} from '../enclave/measured-start.ts';
import { certify, openEnclave } from '../enclave/open-enclave.ts';
import { closeProcess, type ProcessGuard } from '../enclave/process-guard.ts';
import { ReceiptBook } from '../enclave/receipts.ts';
import { createSealingKey } from '../enclave/sealing-key.ts';
import { readSource } from '../enclave/source-facts.ts';
import type { Config } from '../program/config.ts';
import { splitNames } from '../program/setting-kinds.ts';
import { statePaths } from '../program/state-folder.ts';
import { version } from '../program/version.ts';
import type { ServedModel } from '../serving/served-model.ts';
import { openAuthority } from '../tls/development-authority.ts';
import { followIssuedChain } from '../tls/issued-chain.ts';
import { OwnTlsKey, readIdentity, subjectNames, type TlsIdentity } from '../tls/tls.ts';
import type { AppDependencies } from './app.ts';
import { attestStart, startClaims } from './attested-start.ts';
import { nvidiaSystem } from './gpu-system.ts';
import type { PlannedModel } from './model-plan.ts';
import { measuredModels, modelRecords } from './model-records.ts';

/** Receipts must be fetched soon: they are kept for ten minutes and limited by this memory. */
const receiptLimits = { receiptsMax: 65_536, bytesMax: 64 * 1024 * 1024, lifetimeMs: 600_000 };

export interface ModelsOfStart {
  readonly plans: readonly PlannedModel[];
  readonly models: readonly ServedModel[];
}

/** What the start measures in addition to the settings and the machine. */
export interface MeasuredContents extends ModelsOfStart {
  readonly agents: readonly MeasuredAgent[];
  /** Undefined unless the node joins a fleet. */
  readonly provision?: ProvisionFacts | undefined;
}

/** The machine that the process runs on. */
export interface Machine {
  /** Protects the process from debuggers and core dumps. */
  readonly closeProcess: () => ProcessGuard;
  readonly openPlatform: (config: Config) => Promise<AttestedPlatform | undefined>;
  readonly gpuSystem: (config: Config) => GpuSystem;
}

const thisMachine: Machine = {
  closeProcess,
  openPlatform: ({ simulateTdx }) => openPlatform({ simulate: simulateTdx, nowMs: Date.now() }),
  gpuSystem: nvidiaSystem,
};

/** What was proven, for people and programs. */
export interface Proof {
  readonly kind: AttestedPlatform['kind'];
  readonly keysetDigest: string;
  /** Only for a simulation: the root certificate that its verifiers need. */
  readonly rootPath: string | undefined;
}

export interface FollowChainOptions {
  readonly onTls: (identity: TlsIdentity) => void;
  readonly onRefused: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const chainPollMs = 5_000;

function openDevelopmentAuthority(config: Config) {
  const { certificate, certificateKey: key } = statePaths(config);
  return openAuthority(
    { certificate, key },
    { names: subjectNames(config.host, splitNames(config.tlsName)), now: Date.now() },
  );
}

export class Attestation {
  /** The TLS identity until the start has been measured. */
  readonly tls: TlsIdentity;
  /** Undefined if the operator provides the key. */
  readonly ownKey: OwnTlsKey | undefined;
  readonly #config: Config;
  readonly #platform: AttestedPlatform | undefined;
  readonly #guard: ProcessGuard;
  readonly #provenance: SourceProvenance;
  readonly #sealingKey = createSealingKey();
  readonly #book = new ReceiptBook({ ...receiptLimits, now: () => performance.now() });
  /** Opened by the constructor; undefined without a platform. */
  readonly #openedEnclave: Enclave | undefined;
  #gpu: MeasuredGpus = 'none';
  /** All that was measured; undefined until the start has been measured. */
  #facts: StartFacts | undefined;
  #laterModels = 0;
  /** Extensions of the start log that the certificate's quote covers. */
  #certified = 0;
  /** The same enclave, set once the start is measured; nothing is published before. */
  #enclave: Enclave | undefined;
  #hasChain = false;
  /** Once the start is measured, the digest of the program in the start log. */
  #build = `cloister ${version}`;

  private constructor(
    config: Config,
    from: { platform: AttestedPlatform | undefined; guard: ProcessGuard; provenance: SourceProvenance },
  ) {
    const { tlsCert, tlsKey, tlsName, host } = config;
    this.#config = config;
    this.#platform = from.platform;
    this.#guard = from.guard;
    this.#provenance = from.provenance;
    const isBrought = tlsCert !== undefined && tlsKey !== undefined;
    const issuer = this.isForDevelopment ? openDevelopmentAuthority(config) : undefined;
    this.ownKey = isBrought ? undefined : new OwnTlsKey({ host, names: splitNames(tlsName), issuer });
    this.tls = isBrought
      ? readIdentity({ certificatePath: tlsCert, keyPath: tlsKey })
      : this.ownKey!.identity({ now: Date.now() });
    this.#openedEnclave = from.platform === undefined ? undefined : this.#openEnclave(from.platform);
  }

  #openEnclave(platform: AttestedPlatform): Enclave {
    const { collateralUrl: url } = this.#config;
    const claims = startClaims(this.#config, { receiptLifetimeMs: receiptLimits.lifetimeMs });
    return openEnclave({
      platform,
      ...(url !== undefined && { collateralSource: { url } }),
      tls: this.tls,
      ownKey: this.ownKey,
      sealingKey: this.#sealingKey,
      provenance: this.#provenance,
      claims: () => claims,
      hasGpu: () => platform.kind === 'tdx' && this.#gpu !== 'none',
      now: Date.now,
      clock: () => performance.now(),
    });
  }

  /**
   * Protects the process from debuggers and core dumps, opens the platform and creates the keys; then the GPUs are
   * attested and measured. Call it before any secret is in memory, after locking the state folder, and before a model
   * is loaded.
   * @throws {AttestationError} as `openPlatform` and `admitGpus` · @throws {ServerError} ERR_START
   */
  static async open(config: Config, machine: Machine = thisMachine): Promise<Attestation> {
    const guard = machine.closeProcess();
    const platform = await machine.openPlatform(config);
    const attestation = new Attestation(config, { platform, guard, provenance: await readSource() });
    await attestation.#admitGpus(machine.gpuSystem(config));
    return attestation;
  }

  async #admitGpus(system: GpuSystem): Promise<void> {
    if (this.#platform === undefined || this.#openedEnclave === undefined) return;
    const { digest } = this.#openedEnclave.identity;
    this.#gpu = await admitGpus(this.#platform, {
      system,
      isWanted: this.#config.gpu !== 'off',
      nonce: await gpuStartNonceOf(digest.slice('sha256:'.length)),
      nowMs: Date.now(),
    });
  }

  /** Undefined if nothing can be proven because there is no platform. */
  get platformKind(): AttestedPlatform['kind'] | undefined {
    return this.#platform?.kind;
  }

  /** Undefined until the start has been measured. */
  get enclave(): Enclave | undefined {
    return this.#enclave;
  }

  /** PEM of the root of a simulated machine; undefined on a real one. */
  get simulationRoot(): string | undefined {
    const root = this.#platform?.simulation?.rootCa;
    return root === undefined ? undefined : formatPemChain([root]);
  }

  /**
   * Whether the certificate comes from an authority in the state folder, so that clients keep trusting it after a
   * restart. True outside TDX guests, unless the operator provides a certificate.
   */
  get isForDevelopment(): boolean {
    const { tlsCert, tlsChain } = this.#config;
    return this.#platform?.kind !== 'tdx' && tlsCert === undefined && tlsChain === undefined;
  }

  appParts(find: Parameters<typeof modelRecords>[0]): Required<Pick<AppDependencies, 'tls' | 'sealing' | 'aci'>> {
    return {
      tls: this.tls,
      sealing: { key: this.#sealingKey, sealedOnly: this.#config.sealedOnly },
      aci: {
        enclave: () => this.#enclave,
        isStarting: () => this.#platform !== undefined && this.#enclave === undefined,
        book: this.#book,
        build: () => this.#build,
        modelRecord: modelRecords(find),
      },
    };
  }

  /**
   * Measures the start and opens the enclave; from then on, evidence is served and receipts are signed. Call it once,
   * when all models are loaded.
   * @param options.onTls receives the certificate to use from now on
   * @returns undefined if there is no platform
   * @throws as `attestStart`
   */
  async prove(
    { plans, models, agents, provision }: MeasuredContents,
    { onTls }: { onTls: (identity: TlsIdentity) => void },
  ): Promise<Proof | undefined> {
    const [platform, enclave] = [this.#platform, this.#openedEnclave];
    if (platform === undefined || enclave === undefined) return undefined;
    const { tls, facts } = await attestStart({
      platform,
      config: this.#config,
      guard: this.#guard,
      models: measuredModels(plans, models),
      agents,
      provenance: this.#provenance,
      gpu: this.#gpu,
      provision,
      tls: this.tls,
      ownKey: this.ownKey,
      now: Date.now,
    });
    // A certificate issued by an authority stays: browsers and plain clients need it more than a quote in the
    // handshake.
    if (!this.#hasChain) onTls(tls);
    this.#build = `sha256:${facts.build.programSha256}`;
    this.#facts = facts;
    this.#enclave = enclave;
    return { kind: platform.kind, keysetDigest: enclave.identity.digest, rootPath: this.#writeRoot(platform) };
  }

  /**
   * Measures a model that was loaded after the start, before it serves, unless it was measured before with the same files and the same
   * device. Evidence and certificate then cover it. Calls must not overlap.
   * @param options.onTls receives the certificate to use from now on
   * @returns extensions of the start log that a client's evidence must cover to name this model
   * @throws {ServerError} ERR_START · @throws {AttestationError} as `requireMeasurable` and `certify`, and as
   *   `AttestedPlatform.measure`, after which `options.onUnprovable` was called
   */
  async proveModel(
    { plan, model }: { plan: PlannedModel; model: ServedModel },
    { onTls, onUnprovable }: { onTls: (identity: TlsIdentity) => void; onUnprovable: (error: unknown) => void },
  ): Promise<number> {
    const [platform, enclave, facts] = [this.#platform, this.#enclave, this.#facts];
    if (platform === undefined || enclave === undefined || facts === undefined) return 0;
    const [measured] = measuredModels([plan], [model]);
    if (!isMeasured(facts, measured!)) {
      requireMeasurable(platform, { facts, model: measured!, laterModels: this.#laterModels });
      const libraries = await readMappedLibraries();
      const later = laterModel({ facts, log: platform.startLog }, { model: measured!, libraries });
      try {
        await enclave.extendLog(async () => {
          for (const event of later.events) await platform.measure(event);
        });
      } catch (error) {
        onUnprovable(error);
        throw error;
      }
      this.#laterModels += 1;
      this.#facts = later.facts;
    }
    // Also if the quote for the certificate failed after an earlier extension.
    if (this.#certified !== enclave.extensions) {
      const { extensions } = enclave;
      const tls = await certify(platform, { tls: this.tls, ownKey: this.ownKey, now: Date.now });
      if (!this.#hasChain) onTls(tls);
      this.#certified = extensions;
    }
    return enclave.extensions;
  }

  /**
   * If the operator wants an authority's certificate for the key of this run, loads it whenever its file appears or
   * changes.
   * @param options.onTls receives the certificate to use from now on · `onRefused` why a file is rejected
   * @returns PEM of the request to the authority; undefined if none is wanted
   */
  followChain({ onTls, onRefused, signal }: FollowChainOptions): string | undefined {
    const { tlsChain: path } = this.#config;
    if (path === undefined || this.ownKey === undefined) return undefined;
    const onChain = (identity: TlsIdentity) => {
      this.#hasChain = true;
      onTls(identity);
    };
    void followIssuedChain({ path, key: this.ownKey, pollMs: chainPollMs, onChain, onRefused }, { signal });
    return this.ownKey.request();
  }

  #writeRoot({ simulation }: AttestedPlatform): string | undefined {
    if (simulation === undefined) return undefined;
    const path = statePaths(this.#config).simulationRoot;
    writeFileSync(path, formatPemChain([simulation.rootCa]));
    return path;
  }
}
