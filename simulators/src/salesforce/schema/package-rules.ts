import type { XmlElement } from '@rgrove/parse-xml';
import { type BeforeSaveFlowSource, beforeSaveFlow } from './before-save-flow.ts';
import type { SourceFile } from './source-files.ts';
import { childrenOf, readXml, textAt } from './xml.ts';

/** A validation rule of the org (Metadata API: ValidationRule). */
export type ValidationRuleSource = {
  readonly object: string;
  readonly name: string;
  readonly formula: string;
  readonly message: string;
  /** The field next to which the message is shown; null for the top of the page. */
  readonly field: string | null;
};

export type OfferedValue = { readonly value: string; readonly isDefault: boolean };

/** A record type of an object (Metadata API: RecordType). */
export type RecordTypeSource = {
  readonly object: string;
  readonly name: string;
  readonly label: string;
  readonly active: boolean;
  /** The values of each picklist that the record type offers, by field. */
  readonly picklists: ReadonlyMap<string, readonly OfferedValue[]>;
};

/** A duplicate rule of the org (Metadata API: DuplicateRule). */
export type DuplicateRuleSource = {
  readonly object: string;
  readonly name: string;
  readonly label: string;
  /** Whether an insert or an update of a duplicate is allowed or blocked. */
  readonly onInsert: 'Allow' | 'Block';
  readonly onUpdate: 'Allow' | 'Block';
  /** Whether an allowed duplicate is refused unless the client explicitly allows it. */
  readonly alertsOnInsert: boolean;
  readonly alertsOnUpdate: boolean;
  readonly alertText: string;
  readonly matchingRules: readonly string[];
  readonly isFiltered: boolean;
};

/** A matching rule of the org (Metadata API: MatchingRule). */
export type MatchingRuleSource = {
  readonly object: string;
  readonly name: string;
  readonly items: readonly {
    readonly field: string;
    readonly method: string;
    readonly matchesBlanks: boolean;
  }[];
  readonly booleanFilter: string | null;
};

/** An assignment rule of leads or cases (Metadata API: AssignmentRules). */
export type AssignmentRuleSource = {
  readonly object: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly entries: readonly {
    readonly criteria: readonly { readonly field: string; readonly operation: string; readonly value: string }[];
    readonly assignedTo: string;
    readonly toQueue: boolean;
    /** Whether the entry has a formula or a logic of its own, which is not simulated. */
    readonly isLeftOut: boolean;
  }[];
};

export type RuleSources = {
  readonly assignmentRules: readonly AssignmentRuleSource[];
  readonly beforeSaveFlows: readonly BeforeSaveFlowSource[];
  readonly validationRules: readonly ValidationRuleSource[];
  readonly recordTypes: readonly RecordTypeSource[];
  readonly duplicateRules: readonly DuplicateRuleSource[];
  readonly matchingRules: readonly MatchingRuleSource[];
};

/** The active rules of a package. */
export function readRules(files: readonly SourceFile[]): RuleSources {
  const rootsOf = (kind: string) =>
    files.filter((file) => file.kind === kind).map((file) => ({ ...file, root: readXml(file.path) }));
  return {
    assignmentRules: rootsOf('assignmentRules').flatMap(({ name: object, root }) =>
      childrenOf(root, 'assignmentRule').map((rule) => assignmentRule(object, rule)),
    ),
    beforeSaveFlows: rootsOf('flow').flatMap(({ name, root }) => beforeSaveFlow(name, root) ?? []),
    validationRules: rootsOf('validationRule')
      .filter(({ root }) => isTrue(root, 'active'))
      .map(({ object, name, root }) => ({
        object,
        name,
        formula: textAt(root, 'errorConditionFormula') ?? '',
        message: textAt(root, 'errorMessage') ?? '',
        field: textAt(root, 'errorDisplayField') ?? null,
      })),
    recordTypes: rootsOf('recordType').map((file) => recordType(file, processStages(rootsOf, file))),
    duplicateRules: rootsOf('duplicateRule')
      .filter(({ root }) => isTrue(root, 'isActive'))
      .map(({ name, root }) => duplicateRule(name, root)),
    matchingRules: rootsOf('matchingRule').flatMap(({ name: object, root }) =>
      childrenOf(root, 'matchingRules').map((rule) => matchingRule(object, rule)),
    ),
  };
}

type RootFile = Pick<SourceFile, 'object' | 'name'> & { readonly root: XmlElement };

/** The stages that the sales process of a record type offers (Metadata API: BusinessProcess). */
function processStages(
  rootsOf: (kind: string) => readonly RootFile[],
  { object, root }: RootFile,
): readonly (readonly [string, readonly OfferedValue[]])[] {
  const named = textAt(root, 'businessProcess');
  const process = rootsOf('businessProcess').find((each) => each.object === object && each.name === named);
  return object === 'Opportunity' && process ? [['StageName', offered(process.root)]] : [];
}

function offered(root: XmlElement): readonly OfferedValue[] {
  return childrenOf(root, 'values').map((value) => ({
    value: decode(textAt(value, 'fullName') ?? ''),
    isDefault: isTrue(value, 'default'),
  }));
}

function recordType(
  { object, name, root }: RootFile,
  stages: readonly (readonly [string, readonly OfferedValue[]])[],
): RecordTypeSource {
  const own = childrenOf(root, 'picklistValues').map(
    (each) => [textAt(each, 'picklist') ?? '', offered(each)] as const,
  );
  return {
    object,
    name,
    label: textAt(root, 'label') ?? name,
    active: isTrue(root, 'active'),
    picklists: new Map([...own, ...stages]),
  };
}

/** Values in record types are percent-encoded. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function duplicateRule(fullName: string, root: XmlElement): DuplicateRuleSource {
  const [object = '', name = fullName] = fullName.split('.');
  const actions = (list: string) => childrenOf(root, list).map((each) => each.text.trim());
  const action = (element: string) => (textAt(root, element) === 'Block' ? 'Block' : 'Allow');
  return {
    object,
    name,
    label: textAt(root, 'masterLabel') ?? name,
    onInsert: action('actionOnInsert'),
    onUpdate: action('actionOnUpdate'),
    alertsOnInsert: actions('operationsOnInsert').includes('Alert'),
    alertsOnUpdate: actions('operationsOnUpdate').includes('Alert'),
    alertText: textAt(root, 'alertText') ?? 'Use one of these records?',
    matchingRules: childrenOf(root, 'duplicateRuleMatchRules').map((each) => textAt(each, 'matchingRule') ?? ''),
    isFiltered: childrenOf(root, 'duplicateRuleFilter').some(
      (each) => childrenOf(each, 'duplicateRuleFilterItems').length > 0,
    ),
  };
}

function matchingRule(object: string, rule: XmlElement): MatchingRuleSource {
  return {
    object,
    name: textAt(rule, 'fullName') ?? '',
    items: childrenOf(rule, 'matchingRuleItems').map((item) => ({
      field: textAt(item, 'fieldName') ?? '',
      method: textAt(item, 'matchingMethod') ?? 'Exact',
      matchesBlanks: textAt(item, 'blankValueBehavior') === 'MatchBlanks',
    })),
    booleanFilter: textAt(rule, 'booleanFilter') ?? null,
  };
}

function assignmentRule(object: string, rule: XmlElement): AssignmentRuleSource {
  return {
    object,
    name: textAt(rule, 'fullName') ?? '',
    isActive: isTrue(rule, 'active'),
    entries: childrenOf(rule, 'ruleEntry').map((entry) => ({
      criteria: childrenOf(entry, 'criteriaItems').map((item) => ({
        field: textAt(item, 'field')?.split('.').at(-1) ?? '',
        operation: textAt(item, 'operation') ?? '',
        value: textAt(item, 'value') ?? '',
      })),
      assignedTo: textAt(entry, 'assignedTo') ?? '',
      toQueue: textAt(entry, 'assignedToType') === 'Queue',
      isLeftOut: textAt(entry, 'formula') !== undefined || textAt(entry, 'booleanFilter') !== undefined,
    })),
  };
}

function isTrue(root: XmlElement, name: string): boolean {
  return textAt(root, name) === 'true';
}

/** Kinds of metadata files that are read: of workflows only outbound messages, and only flows that send one or set fields before a save. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  'assignmentRules',
  'businessProcess',
  'duplicateRule',
  'field',
  'flow',
  'globalValueSet',
  'LeadConvertSetting',
  'matchingRule',
  'notiftype',
  'object',
  'permissionset',
  'platformEventChannel',
  'platformEventChannelMember',
  'customPermission',
  'recordType',
  'validationRule',
  'workflow',
]);

/** A sentence for each kind of file that has no effect here. */
export function notSimulated(files: readonly SourceFile[]): readonly string[] {
  const isUnderstood = ({ kind, name }: SourceFile) =>
    UNDERSTOOD.has(kind) || (kind === 'settings' && (name === 'LeadConvert' || name === 'LeadConfig'));
  const others = files.filter((file) => !isUnderstood(file));
  return [...Map.groupBy(others, ({ kind }) => kind)].map(([kind, some]) => {
    const names = some.map(({ name, object }) => (object === '' ? name : `${object}.${name}`));
    const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
    return `Not simulated, kind ${kind}: ${shown}.`;
  });
}
