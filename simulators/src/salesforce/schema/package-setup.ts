import type { XmlElement } from '@rgrove/parse-xml';
import type { SourceFile } from './source-files.ts';
import { childrenOf, readXml, textAt } from './xml.ts';

/** A flow as the setup lists it, whether it runs in the simulator or not. */
export type FlowEntry = {
  readonly name: string;
  readonly label: string;
  readonly isActive: boolean;
  readonly processType: string;
  readonly triggerType: string | null;
  readonly recordTriggerType: string | null;
};

/** A validation rule as the setup lists it, active or not. */
export type ValidationRuleEntry = {
  readonly object: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly description: string | null;
  readonly formula: string;
  readonly message: string;
  readonly field: string | null;
};

/** A duplicate rule as the setup lists it, active or not. */
export type DuplicateRuleEntry = {
  readonly object: string;
  readonly name: string;
  readonly label: string;
  readonly isActive: boolean;
};

/** Setup entries of a package that an administrator sees but that do not affect rows. */
export type SetupEntries = {
  readonly flows: readonly FlowEntry[];
  readonly validationRules: readonly ValidationRuleEntry[];
  readonly duplicateRules: readonly DuplicateRuleEntry[];
};

export function readSetup(files: readonly SourceFile[]): SetupEntries {
  const entriesOf = <T>(kind: string, read: (file: SourceFile, root: XmlElement) => T) =>
    files.filter((file) => file.kind === kind).map((file) => read(file, readXml(file.path)));
  return {
    flows: entriesOf('flow', flowEntry),
    validationRules: entriesOf('validationRule', validationRuleEntry),
    duplicateRules: entriesOf('duplicateRule', duplicateRuleEntry),
  };
}

function flowEntry({ name }: SourceFile, root: XmlElement): FlowEntry {
  const start = childrenOf(root, 'start')[0];
  const ofStart = (element: string) => (start && textAt(start, element)) ?? null;
  return {
    name,
    label: textAt(root, 'label') ?? name,
    isActive: textAt(root, 'status') === 'Active',
    processType: textAt(root, 'processType') ?? 'AutoLaunchedFlow',
    triggerType: ofStart('triggerType'),
    recordTriggerType: ofStart('recordTriggerType'),
  };
}

function validationRuleEntry({ object, name }: SourceFile, root: XmlElement): ValidationRuleEntry {
  return {
    object,
    name,
    isActive: textAt(root, 'active') === 'true',
    description: textAt(root, 'description') ?? null,
    formula: textAt(root, 'errorConditionFormula') ?? '',
    message: textAt(root, 'errorMessage') ?? '',
    field: textAt(root, 'errorDisplayField') ?? null,
  };
}

function duplicateRuleEntry({ name: fullName }: SourceFile, root: XmlElement): DuplicateRuleEntry {
  const [object = '', name = fullName] = fullName.split('.');
  const label = textAt(root, 'masterLabel') ?? name;
  return { object, name, label, isActive: textAt(root, 'isActive') === 'true' };
}
