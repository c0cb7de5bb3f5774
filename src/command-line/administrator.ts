import { Rights } from '../base/rights/rights.js';
import { callerWithoutUser } from '../security/caller.js';

/** The person at the command line may do everything, and is not a user. */
export const ADMINISTRATOR = callerWithoutUser(Rights.ofSysadmin);
