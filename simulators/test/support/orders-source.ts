import { elements, type SourceFiles } from './metadata-source.ts';

const field = (values: Readonly<Record<string, string | number | boolean>>, more = ''): readonly [string, string] => [
  'CustomField',
  elements(values) + more,
];

const ROLL_UP = { type: 'Summary', summaryForeignKey: 'Item__c.Order__c' };

/** An object for orders and one for their items, with one rule of each kind and some rules that the simulator does not support. */
export const ORDERS_SOURCE: SourceFiles = {
  'objects/Order__c/Order__c.object-meta.xml': [
    'CustomObject',
    `${elements({ label: 'Order', pluralLabel: 'Orders', sharingModel: 'ReadWrite' })}<nameField><type>Text</type><label>Name</label></nameField>`,
  ],
  'objects/Order__c/fields/Status__c.field-meta.xml': field(
    { fullName: 'Status__c', type: 'Picklist' },
    '<valueSet><restricted>true</restricted><valueSetDefinition><value><fullName>New</fullName><default>true</default></value><value><fullName>Done</fullName></value><value><fullName>Rush</fullName></value></valueSetDefinition></valueSet>',
  ),
  'objects/Order__c/fields/Due__c.field-meta.xml': field({
    fullName: 'Due__c',
    type: 'Date',
    defaultValue: 'TODAY() + 30',
  }),
  'objects/Order__c/fields/Opportunity__c.field-meta.xml': field({
    fullName: 'Opportunity__c',
    type: 'Lookup',
    referenceTo: 'Opportunity',
    relationshipName: 'Orders',
    deleteConstraint: 'Restrict',
    required: true,
  }),
  'objects/Order__c/fields/Total__c.field-meta.xml': field({
    fullName: 'Total__c',
    ...ROLL_UP,
    summaryOperation: 'sum',
    summarizedField: 'Item__c.Price__c',
  }),
  'objects/Order__c/fields/Open_Items__c.field-meta.xml': field(
    { fullName: 'Open_Items__c', ...ROLL_UP, summaryOperation: 'count' },
    `<summaryFilterItems>${elements({ field: 'Item__c.Price__c', operation: 'greaterThan', value: 10 })}</summaryFilterItems>`,
  ),
  'objects/Order__c/fields/Label__c.field-meta.xml': field({
    fullName: 'Label__c',
    type: 'Text',
    formula: "Opportunity__r.Name & ': ' & TEXT(Total__c)",
  }),
  'objects/Order__c/fields/Broken__c.field-meta.xml': field({
    fullName: 'Broken__c',
    type: 'Number',
    scale: 0,
    formula: 'GEOLOCATION(1, 2)',
  }),
  'objects/Order__c/fields/Ratio__c.field-meta.xml': field({
    fullName: 'Ratio__c',
    type: 'Percent',
    scale: 2,
    formula: '1 / Total__c',
  }),
  'objects/Order__c/fields/Where__c.field-meta.xml': field({ fullName: 'Where__c', type: 'Location' }),
  'objects/Order__c/validationRules/Done_Needs_Items.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      active: true,
      errorConditionFormula: 'ISPICKVAL(Status__c, "Done") && Total__c <= 0',
      errorDisplayField: 'Status__c',
      errorMessage: 'An order without items cannot be done.',
    }),
  ],
  'objects/Order__c/validationRules/No_Way_Back.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      active: true,
      errorConditionFormula: 'AND(ISCHANGED(Status__c), ISPICKVAL(PRIORVALUE(Status__c), "Done"), $User.Id <> OwnerId)',
      errorMessage: 'Done is done.',
    }),
  ],
  'objects/Order__c/validationRules/Too_Much.validationRule-meta.xml': [
    'ValidationRule',
    elements({ active: true, errorConditionFormula: 'Total__c > 1000', errorMessage: 'Orders end at 1000.' }),
  ],
  'objects/Order__c/validationRules/Unknown.validationRule-meta.xml': [
    'ValidationRule',
    elements({ active: true, errorConditionFormula: 'VLOOKUP(1, 2, 3) = 1', errorMessage: 'Never.' }),
  ],
  'objects/Order__c/recordTypes/Plain.recordType-meta.xml': [
    'RecordType',
    `${elements({ fullName: 'Plain', label: 'Plain order', active: true })}<picklistValues><picklist>Status__c</picklist><values><fullName>New</fullName><default>false</default></values><values><fullName>Done</fullName><default>false</default></values></picklistValues>`,
  ],
  'objects/Item__c/Item__c.object-meta.xml': [
    'CustomObject',
    `${elements({ label: 'Item', pluralLabel: 'Items', sharingModel: 'ControlledByParent' })}<nameField><type>Text</type><label>Name</label></nameField>`,
  ],
  'objects/Item__c/fields/Order__c.field-meta.xml': field({
    fullName: 'Order__c',
    type: 'MasterDetail',
    referenceTo: 'Order__c',
    relationshipName: 'Items',
  }),
  'objects/Item__c/fields/Price__c.field-meta.xml': field({
    fullName: 'Price__c',
    type: 'Currency',
    precision: 18,
    scale: 2,
  }),
  'duplicateRules/Account.Same_Site.duplicateRule-meta.xml': [
    'DuplicateRule',
    `${elements({ actionOnInsert: 'Allow', actionOnUpdate: 'Block', alertText: 'Use one of these records?', isActive: true, masterLabel: 'Same site' })}<operationsOnInsert>Alert</operationsOnInsert><duplicateRuleMatchRules>${elements({ matchRuleSObjectType: 'Account', matchingRule: 'Site' })}</duplicateRuleMatchRules>`,
  ],
  'matchingRules/Account.matchingRule-meta.xml': [
    'MatchingRules',
    `<matchingRules>${elements({ fullName: 'Site' })}<matchingRuleItems>${elements({ fieldName: 'Website', matchingMethod: 'Exact', blankValueBehavior: 'NullNotAllowed' })}</matchingRuleItems></matchingRules>`,
  ],
  'triggers/OrderTrigger.trigger-meta.xml': ['ApexTrigger', elements({ status: 'Active' })],
};
