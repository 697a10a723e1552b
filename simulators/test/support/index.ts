/** Helpers for tests of clients of the simulators, in addition to the simulators' start functions. */
export { createRandom, type Random } from '../../src/core/random.ts';
export { makeCertificate } from '../../src/core/self-signed.ts';
export { openStateFile } from '../../src/core/state-file.ts';
export { NOT_SHOWN } from '../../src/vendor/described.ts';
export { CORE_LISTS, CORE_TEXTS } from '../../src/vendor/lead-opportunity.ts';
/** The requests of the vendor's documents. */
export { ORDER_ROUTES, SALES_ROUTES } from '../../src/vendor/operations.ts';
export { DEFAULT_QUOTA } from '../../src/vendor/options.ts';
export { VIOLATION_RULES } from '../../src/vendor/violations/rules.ts';
export {
  CHANGES_DIR,
  LEADS_CHANGES_DIR,
  LEADS_DIR,
  LEADS_MAPPING_DIR,
  ORDER_CHANGES_DIR,
  PACKAGE_DIR,
} from './crm-package.ts';
export { type CrmUser, crmUser } from './crm-user.ts';
export {
  elements,
  type MetadataSource,
  metadataSource,
  type SourceFiles,
} from './metadata-source.ts';
export { type LoggedRequest, simulatorAdmin } from './simulator-admin.ts';
export {
  type Answer,
  callsTo,
  createBody,
  field,
  type JsonBody,
  type JsonValue,
  type Sandbox,
  startSandbox,
} from './vendor-sandbox.ts';
export { violationsAt } from './violations.ts';
