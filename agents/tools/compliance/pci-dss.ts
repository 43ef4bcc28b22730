/** PCI DSS v4.0.1: the twelve requirements and their sections by number, titles in our own short words. */
import { type Framework, parseControls } from './framework.ts';

const table = `
  1.1 | Processes for network controls | network
  1.2 | Configured network controls | network
  1.3 | Restricted access to the card environment | network
  1.4 | Controlled links between trusted and untrusted | network
  1.5 | Devices on both trusted and untrusted networks | remote network
  2.1 | Processes for secure configuration | configuration
  2.2 | Securely configured components | configuration
  2.3 | Secure wireless | network
  3.1 | Processes for stored account data | card_data
  3.2 | Least storage of account data | card_data disposal
  3.3 | No storage of authentication data | card_data
  3.4 | Masked display of card numbers | card_data
  3.5 | Stored card numbers unreadable | card_data
  3.6 | Protected keys | keys
  3.7 | Key management | keys
  4.1 | Processes for transmission | encryption
  4.2 | Strong cryptography in transmission | encryption
  5.1 | Processes against malware | malware
  5.2 | Malware prevented or detected | malware
  5.3 | Anti-malware kept active | malware
  5.4 | Anti-phishing | malware training
  6.1 | Processes for secure software | development
  6.2 | Bespoke software developed securely | development
  6.3 | Vulnerabilities identified and addressed | vulnerabilities
  6.4 | Public web applications protected | development
  6.5 | Controlled changes | change
  7.1 | Processes for access | access
  7.2 | Access defined and assigned | access
  7.3 | Access enforced by systems | access
  8.1 | Processes for identification | identity
  8.2 | Identities managed through their life | identity access
  8.3 | Strong authentication | identity
  8.4 | Multi-factor authentication | identity
  8.5 | Multi-factor systems not misused | identity
  8.6 | Application and system accounts | privileged identity
  9.1 | Processes for physical access | physical
  9.2 | Entry controls | physical
  9.3 | Personnel and visitors | physical
  9.4 | Media handled and destroyed | disposal
  9.5 | Card readers protected | physical card_data
  10.1 | Processes for logging | logging
  10.2 | Audit logs | logging
  10.3 | Logs protected | logging
  10.4 | Logs reviewed | logging monitoring
  10.5 | Log history kept | logging
  10.6 | Time synchronised | logging
  10.7 | Failures of controls detected | monitoring
  11.1 | Processes for testing | testing
  11.2 | Wireless access points watched | network
  11.3 | Vulnerability scans | vulnerabilities
  11.4 | Penetration tests | testing
  11.5 | Intrusions and file changes | monitoring
  11.6 | Changes of payment pages detected | card_data monitoring
  12.1 | Security policy | governance
  12.2 | Acceptable use | assets
  12.3 | Risks managed | risk
  12.4 | Compliance managed | audit
  12.5 | Scope documented | assets card_data
  12.6 | Awareness | training
  12.7 | Screening | people
  12.8 | Service providers managed | supplier
  12.9 | Service providers support customers | supplier ict_contracts
  12.10 | Incident response | incident`;

export const pciDss: Framework = {
  id: 'pci_dss',
  name: 'PCI DSS v4.0.1',
  controls: parseControls(table),
};
