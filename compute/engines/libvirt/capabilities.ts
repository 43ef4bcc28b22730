/** What a host says it can do. Only a host that says it can run trust domains is ever offered for one. */
import { XMLParser } from 'fast-xml-parser';

/** @param xml of `virsh domcapabilities` @returns whether QEMU, KVM and the processor of this host can start a trust domain */
export function supportsTdx(xml: string): boolean {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseAttributeValue: false });
  const { domainCapabilities } = parser.parse(xml) as {
    domainCapabilities?: { domain?: string; features?: { tdx?: { supported?: string } } };
  };
  return domainCapabilities?.domain === 'kvm' && domainCapabilities.features?.tdx?.supported === 'yes';
}
