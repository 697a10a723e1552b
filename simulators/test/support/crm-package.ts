import { fileURLToPath } from 'node:url';

/** The Salesforce DX source that the simulated org is made from unless a test says otherwise. */
export const PACKAGE_DIR = fileURLToPath(new URL('../../../crm-package/main', import.meta.url));

/** What an org needs besides for the Pub/Sub API. */
export const CHANGES_DIR = fileURLToPath(new URL('../../../crm-package/changes', import.meta.url));

/** What an org needs besides, with `CHANGES_DIR`, for the change events of order searches. */
export const ORDER_CHANGES_DIR = fileURLToPath(new URL('../../../crm-package/order-changes', import.meta.url));

/** What an org needs besides to share leads. */
export const LEADS_DIR = fileURLToPath(new URL('../../../crm-package/leads', import.meta.url));

/** The settings by which a lead's fields of the package move with its conversion. */
export const LEADS_MAPPING_DIR = fileURLToPath(new URL('../../../crm-package/leads-mapping', import.meta.url));

/** What an org needs besides, with `CHANGES_DIR`, for the change events of leads. */
export const LEADS_CHANGES_DIR = fileURLToPath(new URL('../../../crm-package/leads-changes', import.meta.url));
