import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { DirectoryModule } from '../directory/directory.module.js';
import { ProcessModule } from '../process/process.module.js';
import { RolesModule } from '../roles/roles.module.js';

/** The modules of absences, endpoints and roles: their resources link to those of the others. */
export const PROCESS_MODULES = [DirectoryModule, ProcessModule, DeliveriesModule, RolesModule];
