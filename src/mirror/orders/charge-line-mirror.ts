import type { Mirror, MirrorField } from '../mirror.ts';

/** Fields of a charge line that come from its charge condition (order spec 2.4). */
export const CONDITION_FIELDS = [
  { from: 'sequenceNumber', to: 'Condition_Sequence_Number__c', kind: 'number' },
  { from: 'lineGroup', to: 'Line_Group__c', kind: 'text' },
  { from: 'onlineInstanceSeatId', to: 'Online_Instance_Seat_Id__c', kind: 'text' },
  { from: 'orderType', to: 'Order_Type__c', kind: 'code' },
  { from: 'usageScope', to: 'Usage_Scope__c', kind: 'text' },
  { from: 'promotion.id', to: 'Promotion_Id__c', kind: 'text' },
  { from: 'promotion.name', to: 'Promotion_Name__c', kind: 'text' },
  { from: 'promotion.combination', to: 'Promotion_Combination__c', kind: 'text' },
  // Stored as text, because the duration is usually a number of months but need not be.
  { from: 'waiver.duration', to: 'Waiver_Duration__c', kind: 'text' },
  { from: 'waiver.endDate', to: 'Waiver_End_Date__c', kind: 'date' },
] as const satisfies readonly MirrorField[];

/** Fields of the charge line itself (order spec 2.5), with the API's v1 names. */
export const BREAKDOWN_FIELDS = [
  { from: 'sequenceNumber', to: 'Sequence_Number__c', kind: 'number' },
  { from: 'installedBaseNumber', to: 'Installed_Base_Number__c', kind: 'text' },
  { from: 'subOrderType', to: 'Sub_Order_Type__c', kind: 'code' },
  { from: 'revenueType', to: 'Revenue_Type__c', kind: 'code' },
  { from: 'portfolio', to: 'Portfolio__c', kind: 'text' },
  { from: 'release', to: 'Release__c', kind: 'text' },
  { from: 'product.trigram', to: 'Product_Trigram__c', kind: 'text' },
  { from: 'product.type', to: 'Product_Type__c', kind: 'code' },
  { from: 'product.number', to: 'Product_Number__c', kind: 'text' },
  { from: 'product.name', to: 'Product_Name__c', kind: 'text' },
  { from: 'product.dsOffering', to: 'Product_Offering__c', kind: 'code' },
  { from: 'quantity', to: 'Quantity__c', kind: 'number' },
  { from: 'unitListPrice', to: 'Unit_List_Price__c', kind: 'number' },
  { from: 'totalListPrice', to: 'Total_List_Price__c', kind: 'number' },
  { from: 'distributorNetAmount', to: 'Distributor_Net_Amount__c', kind: 'number' },
  { from: 'distributorAnnualAmount', to: 'Distributor_Annual_Amount__c', kind: 'number' },
  { from: 'distributorDiscountPercentage', to: 'Distributor_Discount_Percentage__c', kind: 'number' },
  {
    from: 'distributorMaximumMarginPercentage',
    to: 'Distributor_Maximum_Margin_Percentage__c',
    kind: 'number',
  },
  { from: 'customerMaximumNetAmount', to: 'Customer_Maximum_Net_Amount__c', kind: 'number' },
  { from: 'customerMaximumAnnualAmount', to: 'Customer_Maximum_Annual_Amount__c', kind: 'number' },
  {
    from: 'customerMinimumDiscountPercentage',
    to: 'Customer_Minimum_Discount_Percentage__c',
    kind: 'number',
  },
  { from: 'startDate', to: 'Start_Date__c', kind: 'date' },
  { from: 'endDate', to: 'End_Date__c', kind: 'date' },
  { from: 'calculatedStartDate', to: 'Calculated_Start_Date__c', kind: 'date' },
  { from: 'calculatedEndDate', to: 'Calculated_End_Date__c', kind: 'date' },
  { from: 'duration', to: 'Duration__c', kind: 'number' },
  { from: 'yearNumber', to: 'Year_Number__c', kind: 'number' },
  { from: 'coupon.name', to: 'Coupon_Name__c', kind: 'text' },
  { from: 'coupon.discountPercentage', to: 'Coupon_Discount_Percentage__c', kind: 'number' },
  { from: 'inflation.date', to: 'Inflation_Date__c', kind: 'date' },
  { from: 'inflation.ratio', to: 'Inflation_Ratio__c', kind: 'number' },
  { from: 'inflation.exception', to: 'Inflation_Exception__c', kind: 'text' },
] as const satisfies readonly MirrorField[];

/** A charge line of an order in the CRM: a detail of the order, with the fields of its charge condition (order spec 2.4 and 2.5). */
export const CHARGE_LINE_MIRROR = {
  object: 'Vendor_Order_Line__c',
  externalId: 'Line_Key__c',
  master: { field: 'Vendor_Order__c', object: 'Vendor_Order__c', externalId: 'Vendor_Order_Id__c' },
  fields: [...CONDITION_FIELDS, ...BREAKDOWN_FIELDS],
  others: ['Line_Key__c', 'Vendor_Order__c', 'Currency__c', 'Active__c'],
  links: ['Product__c'],
} as const satisfies Mirror;
