import type { Preferences } from '../../artifacts/preferences.js';
import { safeText } from '../../artifacts/safe-text.js';
import type { Declaration } from './declaration.js';

const IN_TDM_FILE = safeText`/.well-known/tdmrep.json`;
const LICENSE = safeText`the license that robots.txt or the home page names`;

/** The preferences by TDMRep and RSL. A file that could not be read declares nothing. */
export function declaredInFiles({ reservations, tdmFile, license }: Preferences): Declaration[] {
  const declared: Declaration[] = reservations.map(({ place, reservation }) => ({
    name: 'TDMRep',
    state: reservation === 'other' ? 'faulty' : 'usable',
    place: place === 'header' ? safeText`a header of the home page` : safeText`a meta of the home page`,
    fault: safeText`tdm-reservation is neither 0 nor 1`,
  }));
  if (tdmFile === 'read') declared.push({ name: 'TDMRep', state: 'usable', place: IN_TDM_FILE });
  if (tdmFile === 'malformed') {
    const fault = safeText`it is not an array with a location and a tdm-reservation of 0 or 1`;
    declared.push({ name: 'TDMRep', state: 'faulty', place: IN_TDM_FILE, fault });
  }
  if (license === 'read') declared.push({ name: 'RSL', state: 'usable', place: LICENSE });
  if (license === 'malformed') {
    declared.push({ name: 'RSL', state: 'faulty', place: LICENSE, fault: safeText`it is not an XML document of RSL` });
  }
  return declared;
}
