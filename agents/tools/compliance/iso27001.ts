/**
 * ISO/IEC 27001:2022, Annex A: the 93 controls by number, titles in our own short words. The standard's text is not repeated.
 */
import { type Framework, parseControls } from './framework.ts';

const organisational = `
  A.5.1 | Policies for information security | governance
  A.5.2 | Security roles and responsibilities | roles
  A.5.3 | Separation of conflicting duties | roles
  A.5.4 | Duties of management | roles training
  A.5.5 | Contact with authorities | audit breach_notice
  A.5.6 | Contact with interest groups | audit threat_intel
  A.5.7 | Threat intelligence | threat_intel
  A.5.8 | Security in projects | audit development
  A.5.9 | Inventory of assets | assets
  A.5.10 | Acceptable use of assets | assets
  A.5.11 | Return of assets | assets people
  A.5.12 | Classification of information | assets
  A.5.13 | Labelling of information | assets
  A.5.14 | Transfer of information | communication encryption
  A.5.15 | Access control | access
  A.5.16 | Identity management | identity
  A.5.17 | Authentication information | identity
  A.5.18 | Access rights | access
  A.5.19 | Security with suppliers | supplier
  A.5.20 | Security in supplier agreements | ict_contracts processors
  A.5.21 | Security in the ICT supply chain | supplier
  A.5.22 | Monitoring and change of supplier services | supplier
  A.5.23 | Use of cloud services | cloud
  A.5.24 | Preparing for incidents | incident
  A.5.25 | Assessing security events | incident monitoring
  A.5.26 | Responding to incidents | incident
  A.5.27 | Learning from incidents | incident
  A.5.28 | Collecting evidence | incident
  A.5.29 | Security during disruption | continuity
  A.5.30 | ICT readiness for continuity | continuity backup
  A.5.31 | Legal and contractual requirements | audit legal_basis
  A.5.32 | Intellectual property | audit
  A.5.33 | Protection of records | disposal records
  A.5.34 | Privacy and personal data | dpo records transparency
  A.5.35 | Independent review | audit testing
  A.5.36 | Compliance with policies and standards | audit
  A.5.37 | Documented operating procedures | audit`;

const people = `
  A.6.1 | Screening | people
  A.6.2 | Terms of employment | people
  A.6.3 | Awareness, education and training | training
  A.6.4 | Disciplinary process | people
  A.6.5 | Duties after employment | people
  A.6.6 | Confidentiality agreements | people
  A.6.7 | Remote working | remote
  A.6.8 | Reporting of security events | incident`;

const physical = `
  A.7.1 | Physical perimeters | physical
  A.7.2 | Physical entry | physical
  A.7.3 | Offices, rooms and facilities | physical
  A.7.4 | Physical monitoring | physical
  A.7.5 | Physical and environmental threats | physical
  A.7.6 | Working in secure areas | physical
  A.7.7 | Clear desk and screen | physical
  A.7.8 | Siting of equipment | physical
  A.7.9 | Assets off-premises | remote
  A.7.10 | Storage media | disposal dlp
  A.7.11 | Supporting utilities | physical
  A.7.12 | Cabling | physical
  A.7.13 | Maintenance of equipment | physical
  A.7.14 | Disposal or re-use of equipment | disposal`;

const technological = `
  A.8.1 | User endpoint devices | remote
  A.8.2 | Privileged access | privileged
  A.8.3 | Restriction of access to information | access
  A.8.4 | Access to source code | development
  A.8.5 | Secure authentication | identity
  A.8.6 | Capacity | continuity
  A.8.7 | Malware | malware
  A.8.8 | Technical vulnerabilities | vulnerabilities
  A.8.9 | Configuration | configuration
  A.8.10 | Deletion of information | disposal
  A.8.11 | Masking of data | encryption
  A.8.12 | Data leakage | dlp
  A.8.13 | Backup | backup
  A.8.14 | Redundancy | continuity
  A.8.15 | Logging | logging
  A.8.16 | Monitoring | monitoring
  A.8.17 | Clock synchronisation | logging
  A.8.18 | Privileged utility programs | privileged
  A.8.19 | Installing software on live systems | configuration change
  A.8.20 | Networks | network
  A.8.21 | Network services | network
  A.8.22 | Segregation of networks | network
  A.8.23 | Web filtering | configuration
  A.8.24 | Cryptography | encryption keys
  A.8.25 | Secure development life cycle | development
  A.8.26 | Security requirements of applications | development
  A.8.27 | Secure architecture and engineering | development
  A.8.28 | Secure coding | development
  A.8.29 | Security testing in development | testing development
  A.8.30 | Outsourced development | development supplier
  A.8.31 | Separate development, test and production | development
  A.8.32 | Change management | change
  A.8.33 | Test information | development encryption
  A.8.34 | Protecting systems during audits | audit`;

export const iso27001: Framework = {
  id: 'iso_27001',
  name: 'ISO/IEC 27001:2022 Annex A',
  controls: parseControls(organisational + people + physical + technological),
};
