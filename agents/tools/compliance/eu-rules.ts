/** GDPR, NIS2 and DORA: the provisions that require controls, by article, with titles in our own short words. */
import { type Framework, parseControls } from './framework.ts';

/** Regulation (EU) 2016/679. */
export const gdpr: Framework = {
  id: 'gdpr',
  name: 'GDPR, Regulation (EU) 2016/679',
  controls: parseControls(`
    Art. 5 | Principles | legal_basis disposal
    Art. 6 | Lawfulness | legal_basis
    Art. 7 | Conditions for consent | legal_basis
    Art. 9 | Special categories | legal_basis
    Art. 12 | Transparent communication | transparency subject_rights
    Art. 13 | Information where data are collected from the person | transparency
    Art. 14 | Information where they are not | transparency
    Art. 15 | Right of access | subject_rights
    Art. 16 | Rectification | subject_rights
    Art. 17 | Erasure | subject_rights disposal
    Art. 18 | Restriction | subject_rights
    Art. 20 | Portability | subject_rights
    Art. 21 | Objection | subject_rights
    Art. 22 | Automated decisions | subject_rights
    Art. 24 | Responsibility of the controller | governance
    Art. 25 | By design and by default | dpia
    Art. 28 | Processors | processors
    Art. 30 | Records of processing | records
    Art. 32 | Security of processing | encryption access continuity
    Art. 33 | Notifying the authority of breaches | breach_notice
    Art. 34 | Telling persons of breaches | breach_notice
    Art. 35 | Impact assessment | dpia
    Art. 37 | Data protection officer | dpo
    Art. 44 | Transfers to third countries | transfers
    Art. 46 | Appropriate safeguards | transfers`),
};

/** Directive (EU) 2022/2555; Article 21(2) by its letters. */
export const nis2: Framework = {
  id: 'nis2',
  name: 'NIS2, Directive (EU) 2022/2555',
  controls: parseControls(`
    Art. 20(1) | Approval and oversight by the management body | roles governance
    Art. 20(2) | Training of the management body | training
    Art. 21(2)(a) | Risk analysis and security policies | risk governance
    Art. 21(2)(b) | Incident handling | incident
    Art. 21(2)(c) | Continuity, backup, crisis management | continuity backup
    Art. 21(2)(d) | Supply chain security | supplier
    Art. 21(2)(e) | Acquisition, development, vulnerabilities | vulnerabilities development
    Art. 21(2)(f) | Assessing effectiveness | audit testing
    Art. 21(2)(g) | Cyber hygiene and training | training
    Art. 21(2)(h) | Cryptography | encryption
    Art. 21(2)(i) | Personnel, access control, assets | access assets people
    Art. 21(2)(j) | Multi-factor authentication, secured communication | identity communication
    Art. 23 | Reporting of significant incidents | breach_notice`),
};

/** Regulation (EU) 2022/2554. */
export const dora: Framework = {
  id: 'dora',
  name: 'DORA, Regulation (EU) 2022/2554',
  controls: parseControls(`
    Art. 5 | Governance by the management body | roles governance
    Art. 6 | ICT risk management framework | risk
    Art. 7 | Systems, protocols and tools | continuity configuration
    Art. 8 | Identification of functions and assets | assets
    Art. 9 | Protection and prevention | access encryption network
    Art. 10 | Detection | monitoring
    Art. 11 | Response and recovery, continuity policy | continuity
    Art. 12 | Backup, restoration and recovery | backup
    Art. 13 | Learning and evolving | incident training
    Art. 14 | Communication | communication
    Art. 17 | Incident management process | incident
    Art. 18 | Classification of incidents | incident
    Art. 19 | Reporting of major incidents | breach_notice
    Art. 24 | Programme of resilience testing | testing
    Art. 25 | Testing of tools and systems | testing vulnerabilities
    Art. 26 | Threat-led penetration testing | testing
    Art. 28 | ICT third-party risk, register, exit | supplier ict_contracts
    Art. 29 | Concentration risk | ict_contracts
    Art. 30 | Key contractual provisions | ict_contracts
    Art. 45 | Sharing of threat information | threat_intel`),
};
