var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Global, Module } from '@nestjs/common';
import { ResourceReader } from './resource-reader.js';
import { ResourceWriter } from './resource-writer.js';
/** The machine that serves every resource from its attribute table. */
let ResourcesModule = class ResourcesModule {
};
ResourcesModule = __decorate([
    Global(),
    Module({ providers: [ResourceReader, ResourceWriter], exports: [ResourceReader, ResourceWriter] })
], ResourcesModule);
export { ResourcesModule };
//# sourceMappingURL=resources.module.js.map