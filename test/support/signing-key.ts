import { createPrivateKey } from 'node:crypto';

/** The Ed25519 key of RFC 9421, appendix B.1.4. */
export const SIGNING_KEY = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
    x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  },
});

/** Its thumbprint: appendix A.3 of RFC 8037 has the same one for the same kind of key. */
export const SIGNING_KEY_ID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';
