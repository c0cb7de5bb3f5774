var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
/** A constant as the framework serves it when nothing is added: what its routing costs. */
let ConstantController = class ConstantController {
    constant() {
        return {
            name: 'Process Platform',
            version: '0.1.0',
            platformVersion: '18.1',
            interfaces: {
                main: '/api/v2',
                navigation: '/navigation/workplace',
                search: '/navigation/search/workplace',
            },
        };
    }
};
__decorate([
    Get(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Object)
], ConstantController.prototype, "constant", null);
ConstantController = __decorate([
    Controller('api/v2')
], ConstantController);
let ConstantModule = class ConstantModule {
};
ConstantModule = __decorate([
    Module({ controllers: [ConstantController] })
], ConstantModule);
const app = await NestFactory.create(ConstantModule, { logger: false });
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address();
process.stdout.write(`listens on http://127.0.0.1:${port}\n`);
process.once('SIGTERM', () => process.exit(0));
//# sourceMappingURL=nest-server.js.map