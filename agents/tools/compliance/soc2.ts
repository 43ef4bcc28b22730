/**
 * SOC 2: the AICPA Trust Services Criteria (TSP section 100, 2017, points of focus revised 2022) by number, titles in our own short
 * words. The criteria's text is not repeated.
 */
import { type Framework, parseControls } from './framework.ts';

const common = `
  CC1.1 | Integrity and ethical values | people governance
  CC1.2 | Independent oversight by the board | roles
  CC1.3 | Structures, reporting lines, authority | roles
  CC1.4 | Competence of people | training people
  CC1.5 | Accountability for controls | roles people
  CC2.1 | Information for internal control | logging monitoring
  CC2.2 | Internal communication | training communication
  CC2.3 | External communication | communication
  CC3.1 | Objectives clear enough to assess risk | risk
  CC3.2 | Identifying and analysing risk | risk
  CC3.3 | Risk of fraud | risk
  CC3.4 | Changes that affect controls | risk change
  CC4.1 | Ongoing and separate evaluations | audit testing
  CC4.2 | Communicating deficiencies | audit
  CC5.1 | Control activities that mitigate risk | risk governance
  CC5.2 | General controls over technology | access configuration
  CC5.3 | Policies and procedures | governance
  CC6.1 | Logical access architecture | access identity encryption
  CC6.2 | Registering and authorising users | access
  CC6.3 | Changing and removing access | access
  CC6.4 | Physical access | physical
  CC6.5 | Disposal of protected assets | disposal
  CC6.6 | Threats from outside the boundary | network identity
  CC6.7 | Transmission and movement of information | encryption dlp communication
  CC6.8 | Unauthorised or malicious software | malware configuration
  CC7.1 | Detecting vulnerabilities and changes | vulnerabilities configuration
  CC7.2 | Monitoring for anomalies | monitoring logging
  CC7.3 | Evaluating security events | incident
  CC7.4 | Responding to incidents | incident
  CC7.5 | Recovering from incidents | incident continuity
  CC8.1 | Change management | change development
  CC9.1 | Mitigating business disruption | continuity risk
  CC9.2 | Vendors and business partners | supplier`;

const further = `
  A1.1 | Capacity | continuity
  A1.2 | Environmental protection, backup, recovery | backup continuity physical
  A1.3 | Testing of recovery | backup continuity
  C1.1 | Identifying confidential information | assets
  C1.2 | Disposing of confidential information | disposal
  PI1.1 | Definitions of processing and quality | processing_integrity
  PI1.2 | Inputs | processing_integrity
  PI1.3 | Processing | processing_integrity
  PI1.4 | Outputs | processing_integrity
  PI1.5 | Storage of inputs and outputs | processing_integrity backup
  P1.1 | Notice | transparency
  P2.1 | Choice and consent | legal_basis
  P3.1 | Collection in line with objectives | legal_basis
  P3.2 | Explicit consent | legal_basis
  P4.1 | Use for stated purposes | legal_basis
  P4.2 | Retention | disposal
  P4.3 | Disposal | disposal
  P5.1 | Access by data subjects | subject_rights
  P5.2 | Correction | subject_rights
  P6.1 | Disclosure to third parties | processors supplier
  P6.2 | Record of authorised disclosures | records
  P6.3 | Record of unauthorised disclosures | breach_notice
  P6.4 | Privacy commitments of vendors | processors
  P6.5 | Vendors report breaches | processors breach_notice
  P6.6 | Notification of breaches | breach_notice
  P6.7 | Accounting of personal information | subject_rights records
  P7.1 | Accuracy and completeness | processing_integrity subject_rights
  P8.1 | Complaints and compliance | subject_rights audit`;

export const soc2: Framework = {
  id: 'soc_2',
  name: 'SOC 2 Trust Services Criteria (2017, revised 2022)',
  controls: parseControls(common + further),
};
