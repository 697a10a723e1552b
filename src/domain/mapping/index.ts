export { afterCrmWrite } from './crm/after-write.ts';
export { afterCrmCreate, crmCreate } from './crm/create.ts';
export { isCutName } from './crm/cut.ts';
export { misfits } from './crm/fit.ts';
export { OPTIONAL_CRM_FIELDS } from './crm/hidden-names.ts';
export { ENGINE_FIELDS, mappedCrmFields } from './crm/mapped-fields.ts';
export { observeCrm } from './crm/observe.ts';
export { crmWrite } from './crm/write.ts';
export { fromCrmText } from './field-text.ts';
export { lensOf, unsetOf } from './lens-of.ts';
export { fieldsInCrm, fieldsNamedByVendor, offersNamedByVendor } from './named-fields.ts';
export { emptySyncFields, READ_ONLY_FIELDS, syncFields } from './read-only.ts';
export { sameValue } from './same-value.ts';
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
export { createBody, isRequiredOnCreate } from './vendor/create-body.ts';
export { observeVendor } from './vendor/observe.ts';
export { type CodedField, isKnownCode, type ShownCode, unknownCodes } from './vendor/unknown-codes.ts';
export { updateBody } from './vendor/update-body.ts';
