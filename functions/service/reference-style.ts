export const contentSecurityPolicy = ''
