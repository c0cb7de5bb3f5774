import { number, text } from '../resources/attributes.js';
import { addressFault } from '../resources/web-address.js';
import { contentResource } from './content-resource.js';
import { Document } from './document.entity.js';
const searched = { searched: true };
export const documents = contentResource({
    name: 'documents',
    uri: '/content/documents',
    singular: 'document',
    entity: Document,
    labelColumn: 'title',
    attributes: {
        title: text({ required: true, max: 200, ...searched }),
        fileName: text(searched),
        mimeType: text({ max: 100 }),
        size: number({ least: 0, most: Number.MAX_SAFE_INTEGER }),
        version: text({ max: 50 }),
        category: text({ max: 100, ...searched }),
        keywords: text({ max: 500, ...searched }),
        downloadUrl: text({ max: 2000, fault: addressFault }),
    },
});
//# sourceMappingURL=document.resource.js.map