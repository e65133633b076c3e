/**
 * The forms of keys and tokens that are known by their beginning. The facts (prefixes, alphabets, lengths) were read on 2026-11-23 in the
 * rules of gitleaks (github.com/gitleaks/gitleaks, commit b58d3f10 of 2026-07-22) and secretlint (preset-recommend 13.0.7). The lengths
 * here are shorter: a text may be cut, and a vendor changes the length before the prefix. Read these rules again with each release.
 *
 * No letter or digit stands before one. Every quantifier without end is the last part, or bounded by what it excludes.
 */
export const SECRET_SHAPES: readonly RegExp[] = [
  // Forms of many issuers.
  /eyJ[\w-]{8,}(?:\.[\w-]{0,4000}){0,4}/, // JSON Web Token (RFC 7519)
  /ZXlK[\w+/-]{20,}={0,2}/, // JSON Web Token in base64
  /LS0tLS1CRUdJTi[\w+/-]{20,}={0,2}/, // PEM in base64 (kubeconfig)
  /\$(?:2[abxy]?|5|6|7|y|gy|apr1|argon2\w{1,2})\$[\w./$=,+-]{20,}/, // crypt(5) and argon2
  /0x[0-9a-fA-F]{64}/, // private key of Ethereum
  /AGE-SECRET-KEY-1[A-Z0-9]{20,}/, // age

  // Clouds and hosting.
  /LTAI[A-Za-z0-9]{16,}/, // Alibaba
  /(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)[A-Z0-9]{16}/, // AWS
  /(?:ABSK|bedrock-api-key-)[\w+/-]{20,}={0,2}/, // AWS Bedrock
  /(?:amzn\.mws\.|amzn1\.oa2-cs\.v1\.|Atz[ar]\|)[\w.-]{16,}/, // Amazon
  /[\w~.]{3}\dQ~[\w~.-]{31,}/, // Azure Entra
  /(?:cfk|cfut|cfat)_[A-Za-z0-9]{20,}/, // Cloudflare
  /v1\.0-[0-9a-f]{24}-[0-9a-f]{20,}/, // Cloudflare Origin CA
  /do[opr]_v1_[0-9a-fA-F]{20,}/, // DigitalOcean
  /dckr_[po]at_[\w-]{20,}/, // Docker
  /(?:fo1|fm1[ar]|fm2)_[\w+/-]{20,}={0,3}/, // Fly.io
  /(?:AIza|GOCSPX-|ya29\.)[\w-]{16,}/, // Google
  /1\/\/0[\w-]{20,}/, // Google, to refresh
  /AAAA[\w-]{7}:APA91b[\w-]{20,}/, // Firebase
  /HRKU-AA[\w-]{20,}/, // Heroku
  /nfp_[A-Za-z0-9]{20,}/, // Netlify
  /sha256~[\w-]{40,}/, // OpenShift
  /rnd_[A-Za-z0-9]{20,}/, // Render
  /tk-us-[\w-]{40,}/, // Scalingo
  /(?:sbp_|sb_secret_|sb_publishable_)[\w-]{16,}/, // Supabase
  /tskey-[a-z]{2,20}-[\w-]{16,}/, // Tailscale
  /vc[acikpr]_[A-Za-z0-9]{20,}/, // Vercel
  /AQVN[\w-]{30,}/, // Yandex

  // Code, packages and delivery.
  /(?:AKCp|cmVmd)[A-Za-z0-9]{50,}/, // Artifactory
  /AT[AC]TT3[\w=-]{20,}|ATBB[A-Za-z0-9]{20,}/, // Atlassian
  /bk[uac]{2}_[A-Za-z0-9]{20,}/, // Buildkite
  /CCI(?:PAT|PRJ)_[\w-]{20,}/, // CircleCI
  /CLOJARS_[A-Za-z0-9]{20,}/, // Clojars
  /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/, // Doppler
  /gh[oprsu]_[\w-]{16,}(?:\.[\w-]{1,4000}){0,2}|github_pat_\w{16,}/, // GitHub
  /(?:gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)-|GR1348941)[\w-]{16,}/, // GitLab
  /hv[bsr]\.[\w-]{20,}|atlasv1\.[\w=-]{20,}/, // HashiCorp
  /ico-[A-Za-z0-9]{32}/, // Infracost
  /npm_[A-Za-z0-9]{20,}/, // npm
  /API-[A-Z0-9]{26}/, // Octopus Deploy
  /pn[ub]_[A-Za-z0-9]{20,}/, // Prefect
  /pul-[0-9a-f]{20,}/, // Pulumi
  /pypi-AgE[\w-]{20,}/, // PyPI
  /rubygems_[0-9a-f]{20,}/, // RubyGems
  /sq[apu]_[0-9a-f]{20,}/, // Sonar
  /sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{20,}/, // Sourcegraph

  // Models.
  /sk-(?:proj|svcacct|admin|ant|or|live|test)-[\w-]{8,}|sk-[A-Za-z0-9]{20,}/, // OpenAI, Anthropic and others
  /gsk_[A-Za-z0-9]{20,}/, // Groq
  /(?:hf|api_org)_[A-Za-z0-9]{20,}/, // Hugging Face
  /pplx-[A-Za-z0-9]{20,}/, // Perplexity
  /r8_[A-Za-z0-9]{20,}/, // Replicate
  /xai-[A-Za-z0-9]{20,}/, // xAI

  // Payment and trade.
  /duffel_(?:test|live)_[\w=-]{20,}/, // Duffel
  /EZ[AT]K[A-Za-z0-9]{20,}/, // EasyPost
  /FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}/, // Flutterwave
  /access-(?:sandbox|development|production)-[0-9a-f-]{20,}/, // Plaid
  /rzp_(?:live|test)_[A-Za-z0-9]{14,}/, // Razorpay
  /shippo_(?:live|test)_[0-9a-fA-F]{20,}/, // Shippo
  /shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{16,}/, // Shopify
  /sq0[a-z]{3}-[\w-]{20,}/, // Square
  /(?:[prs]k[-_](?:live|test|prod)[-_]|whsec_)[\w+/=-]{8,}/, // Stripe

  // Messages.
  /[MNO][\w-]{22,30}\.[\w-]{6}\.[\w-]{25,}/, // Discord
  /discord(?:app)?\.com\/api\/webhooks\/\d{8,20}\/[\w-]{20,}/, // Discord, webhook
  /EAA[A-Za-z0-9]{20,}|\d{15,16}\|[\w-]{27,}/, // Meta
  /xkeysib-[0-9a-f]{20,}(?:-[A-Za-z0-9]{1,32})?/, // Brevo
  /[0-9a-f]{32}-us\d{1,2}/, // Mailchimp
  /(?:pub)?key-[0-9a-f]{20,}/, // Mailgun
  /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}/, // Resend
  /SG\.[\w-]{16,100}\.[\w-]{16,}/, // SendGrid
  /xox[a-z](?:\.xox[bp])?-[\w-]{8,}|xapp-\d-[\w-]{8,}/, // Slack
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/+-]{20,}/, // Slack, webhook
  /webhook\.office\.com\/webhookb2\/[\w@/-]{20,}/, // Teams, webhook
  /\d{6,12}:A[\w-]{30,}/, // Telegram
  /SK[0-9a-fA-F]{32}/, // Twilio

  // Work.
  /ops_eyJ[\w+/-]{20,}={0,3}|A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}-[A-Z0-9-]{11,30}/, // 1Password
  /p8e-[A-Za-z0-9]{20,}/, // Adobe
  /pat[A-Za-z0-9]{14}\.[0-9a-f]{20,}/, // Airtable
  /[012]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{20,}/, // Asana
  /CFPAT-[\w-]{20,}/, // Contentful
  /dapi[0-9a-f]{32}(?:-\d)?/, // Databricks
  /sl\.[\w-]{40,}/, // Dropbox
  /dt0[a-z]\d{2}\.[A-Z0-9]{8,30}\.[A-Z0-9]{20,}/, // Dynatrace
  /fig[dor]_[\w-]{20,}/, // Figma
  /fio-u-[\w=-]{20,}/, // Frame.io
  /gl(?:sa|c)_[\w+/-]{20,}={0,3}/, // Grafana
  /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/, // Harness
  /lin_(?:api|oauth)_[A-Za-z0-9]{20,}/, // Linear
  /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/, // MaxMind
  /NR(?:AK|II|JS)-[A-Za-z0-9-]{16,}/, // New Relic
  /ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,}/, // Notion
  /pscale_(?:tkn|oauth|pw)_[\w=.-]{20,}/, // PlanetScale
  /PMAK-[0-9a-fA-F]{20,}-[0-9a-fA-F]{20,}/, // Postman
  /rdme_[A-Za-z0-9]{20,}/, // ReadMe
  /sntry[su]_[\w+/=-]{20,}/, // Sentry
  /sm_[aps]at_[A-Za-z0-9]{16}/, // SettleMint
  /tfp_[\w.=-]{20,}/, // Typeform
];
