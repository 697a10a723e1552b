import { api, LightningElement } from 'lwc';

/** Stands in for `lightning-icon`. */
export default class Icon extends LightningElement {
  @api iconName;
  @api size;
  @api alternativeText;
}
