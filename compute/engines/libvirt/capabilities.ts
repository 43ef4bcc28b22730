/** Reads a host's capabilities. Only hosts that report support for trust domains are offered for them. */
import { XMLParser } from 'fast-xml-parser';

/** @param xml output of `virsh domcapabilities` · @returns whether QEMU, KVM and the processor support trust domains */
export function supportsTdx(xml: string): boolean {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseAttributeValue: false });
  const { domainCapabilities } = parser.parse(xml) as {
    domainCapabilities?: { domain?: string; features?: { tdx?: { supported?: string } } };
  };
  return domainCapabilities?.domain === 'kvm' && domainCapabilities.features?.tdx?.supported === 'yes';
}
