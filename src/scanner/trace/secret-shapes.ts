/**
 * The forms of keys and tokens that are known by their beginning. The facts (prefixes, alphabets, lengths) were read on 2026-11-23 in the
 * rules of gitleaks (github.com/gitleaks/gitleaks, commit b58d3f10 of 2026-07-22) and secretlint (preset-recommend 13.0.7). The lengths
 * here are shorter: a text may be cut, and a vendor changes the length before the prefix. Read these rules again with each release.
 */
export interface SecretShape {
  /** Who issues it. */
  readonly of: string;
  /** No letter or digit stands before it. Every quantifier without end is the last part, or bounded by what it excludes. */
  readonly pattern: RegExp;
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  // Forms of many issuers.
  { of: 'JSON Web Token (RFC 7519)', pattern: /eyJ[\w-]{8,}(?:\.[\w-]{0,4000}){0,4}/ },
  { of: 'JSON Web Token in base64', pattern: /ZXlK[\w+/-]{20,}={0,2}/ },
  { of: 'PEM in base64 (kubeconfig)', pattern: /LS0tLS1CRUdJTi[\w+/-]{20,}={0,2}/ },
  { of: 'crypt(5) and argon2', pattern: /\$(?:2[abxy]?|5|6|7|y|gy|apr1|argon2\w{1,2})\$[\w./$=,+-]{20,}/ },
  { of: 'private key of Ethereum', pattern: /0x[0-9a-fA-F]{64}/ },
  { of: 'age', pattern: /AGE-SECRET-KEY-1[A-Z0-9]{20,}/ },

  // Clouds and hosting.
  { of: 'Alibaba', pattern: /LTAI[A-Za-z0-9]{16,}/ },
  { of: 'AWS', pattern: /(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)[A-Z0-9]{16}/ },
  { of: 'AWS Bedrock', pattern: /(?:ABSK|bedrock-api-key-)[\w+/-]{20,}={0,2}/ },
  { of: 'Amazon', pattern: /(?:amzn\.mws\.|amzn1\.oa2-cs\.v1\.|Atz[ar]\|)[\w.-]{16,}/ },
  { of: 'Azure Entra', pattern: /[\w~.]{3}\dQ~[\w~.-]{31,}/ },
  { of: 'Cloudflare', pattern: /(?:cfk|cfut|cfat)_[A-Za-z0-9]{20,}/ },
  { of: 'Cloudflare Origin CA', pattern: /v1\.0-[0-9a-f]{24}-[0-9a-f]{20,}/ },
  { of: 'DigitalOcean', pattern: /do[opr]_v1_[0-9a-fA-F]{20,}/ },
  { of: 'Docker', pattern: /dckr_[po]at_[\w-]{20,}/ },
  { of: 'Fly.io', pattern: /(?:fo1|fm1[ar]|fm2)_[\w+/-]{20,}={0,3}/ },
  { of: 'Google', pattern: /(?:AIza|GOCSPX-|ya29\.)[\w-]{16,}/ },
  { of: 'Google, to refresh', pattern: /1\/\/0[\w-]{20,}/ },
  { of: 'Firebase', pattern: /AAAA[\w-]{7}:APA91b[\w-]{20,}/ },
  { of: 'Heroku', pattern: /HRKU-AA[\w-]{20,}/ },
  { of: 'Netlify', pattern: /nfp_[A-Za-z0-9]{20,}/ },
  { of: 'OpenShift', pattern: /sha256~[\w-]{40,}/ },
  { of: 'Render', pattern: /rnd_[A-Za-z0-9]{20,}/ },
  { of: 'Scalingo', pattern: /tk-us-[\w-]{40,}/ },
  { of: 'Supabase', pattern: /(?:sbp_|sb_secret_|sb_publishable_)[\w-]{16,}/ },
  { of: 'Tailscale', pattern: /tskey-[a-z]{2,20}-[\w-]{16,}/ },
  { of: 'Vercel', pattern: /vc[acikpr]_[A-Za-z0-9]{20,}/ },
  { of: 'Yandex', pattern: /AQVN[\w-]{30,}/ },

  // Code, packages and delivery.
  { of: 'Artifactory', pattern: /(?:AKCp|cmVmd)[A-Za-z0-9]{50,}/ },
  { of: 'Atlassian', pattern: /AT[AC]TT3[\w=-]{20,}|ATBB[A-Za-z0-9]{20,}/ },
  { of: 'Buildkite', pattern: /bk[uac]{2}_[A-Za-z0-9]{20,}/ },
  { of: 'CircleCI', pattern: /CCI(?:PAT|PRJ)_[\w-]{20,}/ },
  { of: 'Clojars', pattern: /CLOJARS_[A-Za-z0-9]{20,}/ },
  { of: 'Doppler', pattern: /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/ },
  { of: 'GitHub', pattern: /gh[oprsu]_[\w-]{16,}(?:\.[\w-]{1,4000}){0,2}|github_pat_\w{16,}/ },
  { of: 'GitLab', pattern: /(?:gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)-|GR1348941)[\w-]{16,}/ },
  { of: 'HashiCorp', pattern: /hv[bsr]\.[\w-]{20,}|atlasv1\.[\w=-]{20,}/ },
  { of: 'Infracost', pattern: /ico-[A-Za-z0-9]{32}/ },
  { of: 'npm', pattern: /npm_[A-Za-z0-9]{20,}/ },
  { of: 'Octopus Deploy', pattern: /API-[A-Z0-9]{26}/ },
  { of: 'Prefect', pattern: /pn[ub]_[A-Za-z0-9]{20,}/ },
  { of: 'Pulumi', pattern: /pul-[0-9a-f]{20,}/ },
  { of: 'PyPI', pattern: /pypi-AgE[\w-]{20,}/ },
  { of: 'RubyGems', pattern: /rubygems_[0-9a-f]{20,}/ },
  { of: 'Sonar', pattern: /sq[apu]_[0-9a-f]{20,}/ },
  { of: 'Sourcegraph', pattern: /sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{20,}/ },

  // Models.
  {
    of: 'OpenAI, Anthropic and others',
    pattern: /sk-(?:proj|svcacct|admin|ant|or|live|test)-[\w-]{8,}|sk-[A-Za-z0-9]{20,}/,
  },
  { of: 'Groq', pattern: /gsk_[A-Za-z0-9]{20,}/ },
  { of: 'Hugging Face', pattern: /(?:hf|api_org)_[A-Za-z0-9]{20,}/ },
  { of: 'Perplexity', pattern: /pplx-[A-Za-z0-9]{20,}/ },
  { of: 'Replicate', pattern: /r8_[A-Za-z0-9]{20,}/ },
  { of: 'xAI', pattern: /xai-[A-Za-z0-9]{20,}/ },

  // Payment and trade.
  { of: 'Duffel', pattern: /duffel_(?:test|live)_[\w=-]{20,}/ },
  { of: 'EasyPost', pattern: /EZ[AT]K[A-Za-z0-9]{20,}/ },
  { of: 'Flutterwave', pattern: /FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}/ },
  { of: 'Plaid', pattern: /access-(?:sandbox|development|production)-[0-9a-f-]{20,}/ },
  { of: 'Razorpay', pattern: /rzp_(?:live|test)_[A-Za-z0-9]{14,}/ },
  { of: 'Shippo', pattern: /shippo_(?:live|test)_[0-9a-fA-F]{20,}/ },
  { of: 'Shopify', pattern: /shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{16,}/ },
  { of: 'Square', pattern: /sq0[a-z]{3}-[\w-]{20,}/ },
  { of: 'Stripe', pattern: /(?:[prs]k[-_](?:live|test|prod)[-_]|whsec_)[\w+/=-]{8,}/ },

  // Messages.
  { of: 'Discord', pattern: /[MNO][\w-]{22,30}\.[\w-]{6}\.[\w-]{25,}/ },
  { of: 'Discord, webhook', pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{8,20}\/[\w-]{20,}/ },
  { of: 'Meta', pattern: /EAA[A-Za-z0-9]{20,}|\d{15,16}\|[\w-]{27,}/ },
  { of: 'Brevo', pattern: /xkeysib-[0-9a-f]{20,}(?:-[A-Za-z0-9]{1,32})?/ },
  { of: 'Mailchimp', pattern: /[0-9a-f]{32}-us\d{1,2}/ },
  { of: 'Mailgun', pattern: /(?:pub)?key-[0-9a-f]{20,}/ },
  { of: 'Resend', pattern: /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}/ },
  { of: 'SendGrid', pattern: /SG\.[\w-]{16,100}\.[\w-]{16,}/ },
  { of: 'Slack', pattern: /xox[a-z](?:\.xox[bp])?-[\w-]{8,}|xapp-\d-[\w-]{8,}/ },
  { of: 'Slack, webhook', pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/+-]{20,}/ },
  { of: 'Teams, webhook', pattern: /webhook\.office\.com\/webhookb2\/[\w@/-]{20,}/ },
  { of: 'Telegram', pattern: /\d{6,12}:A[\w-]{30,}/ },
  { of: 'Twilio', pattern: /SK[0-9a-fA-F]{32}/ },

  // Work.
  { of: '1Password', pattern: /ops_eyJ[\w+/-]{20,}={0,3}|A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}-[A-Z0-9-]{11,30}/ },
  { of: 'Adobe', pattern: /p8e-[A-Za-z0-9]{20,}/ },
  { of: 'Airtable', pattern: /pat[A-Za-z0-9]{14}\.[0-9a-f]{20,}/ },
  { of: 'Asana', pattern: /[012]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{20,}/ },
  { of: 'Contentful', pattern: /CFPAT-[\w-]{20,}/ },
  { of: 'Databricks', pattern: /dapi[0-9a-f]{32}(?:-\d)?/ },
  { of: 'Dropbox', pattern: /sl\.[\w-]{40,}/ },
  { of: 'Dynatrace', pattern: /dt0[a-z]\d{2}\.[A-Z0-9]{8,30}\.[A-Z0-9]{20,}/ },
  { of: 'Figma', pattern: /fig[dor]_[\w-]{20,}/ },
  { of: 'Frame.io', pattern: /fio-u-[\w=-]{20,}/ },
  { of: 'Grafana', pattern: /gl(?:sa|c)_[\w+/-]{20,}={0,3}/ },
  { of: 'Harness', pattern: /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/ },
  { of: 'Linear', pattern: /lin_(?:api|oauth)_[A-Za-z0-9]{20,}/ },
  { of: 'MaxMind', pattern: /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/ },
  { of: 'New Relic', pattern: /NR(?:AK|II|JS)-[A-Za-z0-9-]{16,}/ },
  { of: 'Notion', pattern: /ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,}/ },
  { of: 'PlanetScale', pattern: /pscale_(?:tkn|oauth|pw)_[\w=.-]{20,}/ },
  { of: 'Postman', pattern: /PMAK-[0-9a-fA-F]{20,}-[0-9a-fA-F]{20,}/ },
  { of: 'ReadMe', pattern: /rdme_[A-Za-z0-9]{20,}/ },
  { of: 'Sentry', pattern: /sntry[su]_[\w+/=-]{20,}/ },
  { of: 'SettleMint', pattern: /sm_[aps]at_[A-Za-z0-9]{16}/ },
  { of: 'Typeform', pattern: /tfp_[\w.=-]{20,}/ },
];
