var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Controller, Get } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Public } from '../security/roles.guard.js';
import { PLATFORM_VERSION, VERSION } from './version.js';
let ServiceController = class ServiceController {
    config;
    constructor(config) {
        this.config = config;
    }
    describe() {
        const { BASE_PATH } = this.config.env;
        return {
            name: 'Process Platform',
            version: VERSION,
            platformVersion: PLATFORM_VERSION,
            interfaces: {
                main: `${BASE_PATH}/api/v2`,
                navigation: `${BASE_PATH}/navigation/workplace`,
                search: `${BASE_PATH}/navigation/search/workplace`,
            },
        };
    }
};
__decorate([
    Get(),
    Public(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Object)
], ServiceController.prototype, "describe", null);
ServiceController = __decorate([
    Controller('api/v2'),
    __metadata("design:paramtypes", [Config])
], ServiceController);
export { ServiceController };
//# sourceMappingURL=service.controller.js.map