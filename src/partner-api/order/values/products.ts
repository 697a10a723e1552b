import type { ValueTable } from './coded.ts';

/** The documented values of `product.type` (order spec 2.11). */
export const PRODUCT_TYPES = [
  ...named({ A: 'Add-On', H: 'Auxiliary', CS: 'Casual Named User', C: 'Configuration', E: 'Enterprise' }),
  ...named({ DS: 'Machine Based', M: 'Migration Path', NU: 'Named User', O: 'Offer', P: 'Package' }),
  ...named({ SC: 'Service', S: 'Shareable', AS: 'Single Add-On', ST: 'System', TO: 'Token-Based' }),
] as const satisfies ValueTable;

/** The documented values of `dsOffering` (order spec 2.12). */
export const OFFERINGS = [
  { code: 'PCK', name: 'Packaged Offering', meaning: 'packaged offering' },
  { code: 'LIC', name: 'Licensed Program', meaning: 'on-premises software' },
  { code: 'NA', name: 'Not Applicable', meaning: 'not governed by the standard master agreement' },
  { code: 'ONL', name: 'Online Services', meaning: 'cloud' },
  { code: 'SPC', name: 'Specific', meaning: 'separate agreement' },
  { code: 'HW', name: 'Auxiliary', meaning: 'non-software' },
] as const satisfies ValueTable;

/** The documented values of `accreditationType` (order spec 2.14). */
export const ACCREDITATION_TYPES = named({ I: 'Industry Process Experience', R: 'Portfolio' });

/** The documented values of `deploymentType` (order spec 2.14). The documents show no list for v1, only an example with the value 4. */
export const DEPLOYMENT_TYPES = [
  { code: null, name: 'On Premise', meaning: 'its code is not shown' },
  { code: null, name: 'Public Cloud', meaning: 'its code is not shown' },
  { code: '4', name: null, meaning: 'code seen; its name is not shown' },
] as const satisfies ValueTable;

/** The documented values of `defaultSupportLevel` (order spec 2.16). The documents call `B` "to be completed". */
export const SUPPORT_LEVELS = [
  ...named({ A: 'Advantage', B: 'To be completed', N: 'None', S: 'Secure' }),
  ...named({ Z: 'Not Applicable', L: 'Specific' }),
] as const satisfies ValueTable;

/** The documented values of `licensingScheme` (order spec 2.16). */
export const LICENSING_SCHEMES = [
  ...named({
    ADD: 'Add-On',
    BEU: 'BusinessExperience-UsageBased',
    CAS: 'Casual Named User',
    CB: 'Credit Based',
  }),
  ...named({
    CON: 'Concurrent',
    MAB: 'Machine Based',
    NA: 'Not Applicable',
    NAM: 'Named User',
    NOD: 'Nodelock',
  }),
  ...named({
    PCK: 'Packaged Offering',
    PUB: 'Publishing',
    SNL: 'network license',
    SPA: 'System per application',
  }),
  ...named({ SPC: 'Specific', SPD: 'System per document', SPS: 'System per server', SS: 'System per site' }),
  ...named({ STD: 'Single User standalone', SVC: 'Service', SYS: 'System', TBC: 'To be completed' }),
  ...named({ TBD: 'Token-based (document)', TBQ: 'Token-based (query calls)' }),
  ...named({ TOC: 'Token based credit', TOK: 'Token based' }),
] as const satisfies ValueTable;

/** The documented values of `availabilityStatus` (order spec 2.16). */
export const AVAILABILITY_STATUSES: Readonly<Record<number, string>> = {
  1: 'General',
  2: 'Limited',
  3: 'Controlled',
  4: 'Partner',
  5: 'Pre',
  6: 'Deprecated',
  7: 'Technical Component',
};

function named(names: Readonly<Record<string, string>>): ValueTable {
  return Object.entries(names).map(([code, name]) => ({ code, name, meaning: name }));
}
