/** When certificates and attested keys expire. */
import { X509Certificate } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';

export interface Expiring {
  /** PEM chains by the port that shows them, the server's certificate first; undefined if the port has none. */
  readonly certificates: () => Readonly<Record<string, string | undefined>>;
  /** Of the attested keys, seconds since 1970; undefined without a platform. */
  readonly keysetExpiry: () => number | undefined;
}

/** Registers the expiry of what a running server shows to its clients. */
export function registerExpiry(registry: Registry, { certificates, keysetExpiry }: Expiring): void {
  new Gauge({
    name: 'cloister_tls_certificate_expiry_timestamp_seconds',
    help: 'End of validity of the certificate of each port.',
    labelNames: ['port'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [port, pem] of Object.entries(certificates())) {
        if (pem !== undefined) this.set({ port }, new X509Certificate(pem).validToDate.getTime() / 1000);
      }
    },
  });
  registerMoment(registry, {
    name: 'cloister_keyset_expiry_timestamp_seconds',
    help: 'End of validity of the attested keys, which are renewed half of their lifetime before; absent without a platform.',
    of: keysetExpiry,
  });
}

/** A gauge that is absent while there is no value. */
export function registerMoment(
  registry: Registry,
  { name, help, of }: { name: string; help: string; of: () => number | undefined },
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const value = of();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}
