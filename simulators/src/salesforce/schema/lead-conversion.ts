import type { SourceFile } from './source-files.ts';
import { childrenOf, readXml, textAt } from './xml.ts';

/** The objects that a lead's custom fields may be mapped to. */
const TARGETS = ['Account', 'Contact', 'Opportunity'] as const;
export type ConversionTarget = (typeof TARGETS)[number];

/** What an org's settings say of the conversion of leads. */
export type LeadConversion = {
  /** For each new row, the lead's custom fields with the custom fields that they fill (Metadata API: LeadConvertSettings, `objectMapping`). */
  readonly mappings: Readonly<Record<ConversionTarget, readonly (readonly [from: string, to: string])[]>>;
  /**
   * Whether a conversion keeps to validation rules and required custom fields (Metadata API: LeadConfigSettings,
   * `shouldLeadConvertRequireValidation`, which is true where nothing else is said).
   */
  readonly isValidated: boolean;
};

/** Reads `LeadConvertSettings`, from its own folder or from `settings`, and `LeadConfigSettings`. */
export function readLeadConversion(files: readonly SourceFile[]): LeadConversion {
  const convert = files.find(
    ({ kind, name }) => kind === 'LeadConvertSetting' || (kind === 'settings' && name === 'LeadConvert'),
  );
  const config = files.find(({ kind, name }) => kind === 'settings' && name === 'LeadConfig');
  const mapped = convert === undefined ? [] : childrenOf(readXml(convert.path), 'objectMapping');
  const fieldsOf = (target: ConversionTarget) =>
    mapped
      .filter((each) => textAt(each, 'outputObject') === target)
      .flatMap((each) => childrenOf(each, 'mappingFields'))
      .map((each) => [textAt(each, 'inputField') ?? '', textAt(each, 'outputField') ?? ''] as const);
  return {
    mappings: { Account: fieldsOf('Account'), Contact: fieldsOf('Contact'), Opportunity: fieldsOf('Opportunity') },
    isValidated: config === undefined || textAt(readXml(config.path), 'shouldLeadConvertRequireValidation') !== 'false',
  };
}
