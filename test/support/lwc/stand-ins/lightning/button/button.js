import { api, LightningElement } from 'lwc';

/** Stands in for `lightning-button`. */
export default class Button extends LightningElement {
  @api label;
  @api title;
  @api variant;
  @api iconName;
  @api disabled = false;

  get buttonClass() {
    return this.variant === 'brand' ? 'brand' : '';
  }
}
