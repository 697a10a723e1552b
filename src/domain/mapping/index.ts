export { afterCrmWrite } from './after-crm-write.ts';
export { createBody } from './create-body.ts';
export { afterCrmCreate, crmCreate } from './crm-create.ts';
export { crmWrite } from './crm-write.ts';
export { noProduct } from './lines.ts';
export { observeCrm } from './observe-crm.ts';
export { observeVendor } from './observe-vendor.ts';
export { pairLines } from './pair-lines.ts';
export { READ_ONLY_FIELDS, syncFields } from './read-only.ts';
export { sameLine, sameValue } from './same-value.ts';
export { DEFAULT_STAGES } from './stages.ts';
export type {
  CreateBody,
  CreateContext,
  CrmWriteContext,
  CrmWriteResult,
  FieldValue,
  UpdateBody,
  UpdateContext,
  VendorRaw,
  Withheld,
} from './types.ts';
export { updateBody } from './update-body.ts';
