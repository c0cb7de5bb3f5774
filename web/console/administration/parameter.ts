/** Server parameters, which only sysadmin reads and sets. */
export const PARAMETERS_PATH = '/api/v2/administration/parameters';

export interface Parameter {
  key: string;
  value: string | number | boolean;
  type: string;
  defaultValue: string | number | boolean;
  description: string;
}

/** `com.vendor.security.Token.lifetime` without the part that all keys begin with. */
export const shortKey = (key: string): string => key.replace(/^com\.[^.]+\./, '');
