"""Questions about Cloister itself, each with several phrasings and one or two fixed answers."""

import random

from .exchange import Exchange, scruffy
from .values import pick, spin

AGENTS = {
    "contract-analyst": ("Contract Analyst", "legal", "reads contracts against a checklist of 23 clauses and gives a risk score", "contracts|a contract|agreements|an NDA|clauses|a lease"),
    "financial-analyst": ("Financial Analyst", "finance", "reads financial statements and explains the figures", "financial statements|a balance sheet|figures|annual reports|cash flow|earnings"),
    "compliance-officer": ("Compliance Officer", "governance and compliance", "checks policies and processes against the rules", "compliance|policies|rules|audits|internal controls|regulation"),
    "medical-analyst": ("Medical Records Analyst", "healthcare", "reads medical records and sums them up", "medical records|patient files|lab results|health data|a diagnosis|hospital letters"),
    "due-diligence": ("Due Diligence Analyst", "mergers and acquisitions", "looks for red flags before a company is bought", "buying a company|due diligence|an acquisition|a merger|red flags|a data room"),
    "cybersecurity-analyst": ("Cybersecurity Analyst", "security", "reads incidents and logs and judges the threat", "security incidents|logs|vulnerabilities|threats|malware|an attack"),
    "hr-analyst": ("HR & Workplace Analyst", "human resources", "looks at employment documents and workplace questions", "employment contracts|workplace questions|staff matters|personnel files|hiring|human resources"),
    "tax-analyst": ("Tax & Transfer Pricing", "tax", "works on tax and transfer pricing documents", "tax|transfer pricing|VAT|tax returns|a tax question|intercompany prices"),
    "eu-legal": ("EU Legal Assistant", "EU law", "answers questions of European Union law", "EU law|European law|the GDPR|EU directives|European regulations|EU regulations"),
}
SLUGS = list(AGENTS)
ALL_AGENTS = ", ".join(SLUGS[:-1]) + " and " + SLUGS[-1]

FACTS: list[tuple[list[str], list[str]]] = [
    (["what is Cloister[| exactly| about|, please]", "[tell me|explain|say something|tell me something|tell me more] about [Cloister|this service|the service|the platform]", "[what does Cloister do|what is this service|describe Cloister|explain Cloister|define Cloister|what kind of service is this|what is the purpose of Cloister]"],
     ["Cloister is an inference runtime that runs language models inside Intel TDX confidential VMs and proves it with a hardware quote.",
      "Cloister is an OpenAI-compatible inference runtime inside Intel TDX confidential VMs. No prompt and no answer is stored."]),
    (["[is|are] [Cloister|the API|your API|the interface|the service] [compatible with OpenAI|OpenAI compatible|like the OpenAI API|compatible with the OpenAI client]", "[can I use|does it work with|will it work with] [the OpenAI client|my OpenAI client|the OpenAI SDK|the openai library|my existing code|existing clients]", "[which|what] [API|client|library|SDK] [do you use|can I use|do I need|does Cloister use]", "how do I [connect|use the API|call the API|send a request|get started|start|make a request]"],
     ["The API is OpenAI-compatible: keep your client and change only the base address.",
      "The API is OpenAI-compatible, so an existing OpenAI client works after changing its base address."]),
    (["[which|what] [endpoints|routes|paths] [are there|do you have|exist|does the API have|can I call|does Cloister offer]", "[list|name|show me] [the endpoints|the routes|all endpoints|the API endpoints]", "what can [the API|Cloister|the service] do"],
     ["The API offers chat completions, embeddings and image generation, and a confidential surface with preset agents."]),
    (["[does Cloister|do you|can Cloister|can the API] [do|support|offer|make|create|have] [embeddings|embedding models|vectors]", "[how do I get|where do I get|how to create|can I get] [embeddings|an embedding|vectors]", "[what is the embeddings endpoint|is there an embeddings endpoint]"],
     ["Embeddings are at POST /v1/embeddings. Send a model and a text or a list of texts."]),
    (["[does Cloister|do you|can Cloister|can the API] [do|support|offer|make|create|generate] [images|pictures|image generation]", "[how do I get|how do I make|how to create|how can I generate] [an image|images|a picture]", "[what is the image endpoint|is there an image endpoint|where are images generated]"],
     ["Images are made at POST /v1/images/generations. Send a prompt; the default size is 1024x1024."]),
    (["[what is|where is|which is] the [chat endpoint|chat route|endpoint for chat|path for chat completions]", "[where do I send|how do I send|where to send] [chat messages|a chat request|my messages|a prompt|my prompts]"],
     ["Chat is at POST /v1/chat/completions, and for the agents at POST /v1/confidential/chat/completions."]),
    (["[which|what] agents [are there|do you have|exist|are available|does Cloister have|does Cloister offer|can I use]", "[list|name|show me|tell me|give me] [the|all|all the|all nine|the nine|your] [agents|preset agents|confidential agents|presets]", "[do you have agents|what are the agents|what agents|list agents|which presets are there]"],
     [f"There are nine agents: {ALL_AGENTS}."]),
    (["how many [agents|preset agents|presets][| are there| do you have| exist| does Cloister have]", "[number of agents|what is the number of agents|count the agents]"],
     ["There are nine preset agents."]),
    (["what is [an agent|a preset agent|a confidential agent|a preset]", "[explain|what are] [agents|preset agents|confidential agents|the agents for]", "how [do agents work|does an agent work|do the agents work]"],
     ["An agent is a preset that you name in the model field: it brings its own instructions, defaults and deterministic tools."]),
    (["how do I [use|call|choose|select|pick|ask|talk to] an agent", "[where do I put|where goes|how do I send] the [agent name|agent|slug|name of the agent]"],
     ["Put the slug of the agent, for example contract-analyst, in the model field of a confidential chat request."]),
    (["[what is|explain|define|what does] attestation[| mean| exactly]", "[how does attestation work|why attestation|tell me about attestation|what is remote attestation|how do you attest]", "[how can I|how do I|can I] [verify|check|prove|be sure] [the service|it|the enclave|that it is secure|what code runs|that you run in TDX|which code answers]"],
     ["Attestation is proof by hardware: the CPU signs a quote that says which code runs in the confidential VM, and you can verify it before you send anything.",
      "The CPU signs a hardware quote over the code that runs. You verify the quote first and send your data after."]),
    (["what is [a quote|a hardware quote|a TDX quote|the quote|an attestation quote]", "[what does the quote prove|what is in the quote|explain the quote|who signs the quote]"],
     ["A quote is a statement signed by the CPU about the code and the state of the confidential VM."]),
    (["what is [TDX|Intel TDX|a TD|a trust domain|a confidential VM|a confidential virtual machine|confidential computing|an enclave]", "[explain|define|tell me about] [TDX|Intel TDX|confidential VMs|confidential computing|enclaves|a confidential VM]", "[what does TDX mean|what does TDX stand for|what is a CVM|how does TDX work]"],
     ["Intel TDX stands for Trust Domain Extensions. It encrypts the memory of a whole virtual machine, so that the host cannot read it."]),
    (["[do you|does Cloister|will you|do they] [store|save|keep|log|record|remember] [my data|my prompts|prompts|my messages|my answers|anything|what I write|data|the conversation|my questions]", "[is|are] my [data|prompts|messages|answers|requests] [stored|saved|kept|logged|recorded]", "what is [zero retention|your retention policy|the retention policy|the data policy]", "[how long do you keep my data|where is my data stored|what happens to my data|what do you do with my data|is anything stored]"],
     ["No prompt and no answer is stored. Cloister has zero retention.", "Nothing is stored: Cloister keeps no prompt and no answer."]),
    (["[is it|are you|is Cloister|is this service|is my data] [private|secure|safe|confidential|encrypted|protected]", "[can you|can the operator|can anyone|can the host|can somebody|who can] [read|see|look at] my [data|prompts|messages|requests|answers]", "[how do you protect|how is|how does Cloister protect] my [data|privacy|prompts]"],
     ["Your data is processed inside an Intel TDX confidential VM, travels over TLS 1.3 and is not stored. The host cannot read it."]),
    (["[how much|what] does [it|Cloister|the API|the service|this|a request|a token] cost", "[how is|how are] [usage|it|requests|tokens|the service|chat|the API] [billed|charged|paid|priced]", "[what is the price|how do I pay|is it free|what are the prices|how does billing work|explain billing|tell me about billing|is this free|what do I pay for|billing]"],
     ["Usage is billed per token: you pay for the tokens of the prompt and of the answer."]),
    (["[is|am I|are] [a failed request|an error|failed requests|a refused request|errors] [billed|charged|free]", "do I pay for [errors|failed requests|a refused request]", "[what if the stream stops|what do I pay when a stream is cut|is a cut stream billed]"],
     ["A refused request costs nothing, and a stream that is cut short is billed for the tokens sent."]),
    (["[what is a token|what are tokens|explain tokens|define token|what does token mean]"],
     ["A token is a short piece of text, often a word or a part of a word. Usage is counted in tokens."]),
    (["what [do|does] [a key|keys|the keys|API keys|the API key|my key] [look like|start with|begin with]", "[how do I recognise|what is the prefix of|which prefix has|what prefix do] [a key|keys|the key|an API key|API keys]", "[what is the form of a key|key prefix|what is clst_|what does clst_ mean]"],
     ["Keys start with clst_."]),
    (["how do I [authenticate|log in|sign in|authorise|send my key|pass the key|use my key]", "[which|what] [header|headers|authentication] [do I need|must I send|do you accept|do I use|carries the key]", "[where do I put|where goes|where does] [my key|the key|the API key]", "[how does authentication work|do I need a key|is a key required|explain authentication]"],
     ["Send your key in the X-Service-Key header or as Authorization: Bearer. Keys start with clst_.",
      "Every request carries a key, in the X-Service-Key header or as Authorization: Bearer."]),
    (["[how do I get|where do I get|how can I create|how do I create|how to make|I need] [a key|an API key|a new key]", "[can I have|how many] [keys|API keys] [can I have|are allowed|do I get|may I have]"],
     ["Create a key in the dashboard. It is shown once, and an account may have up to 10 keys."]),
    (["[what do I do if|what if|help,] [I lose my key|my key leaks|my key was stolen|I lost my key|someone has my key]", "how do I [revoke|delete|cancel|disable] a key"],
     ["Revoke the key at once in the dashboard and create a new one."]),
    (["[which|what] [port|TCP port] [do you use|is it|does Cloister use|does it listen on|do I use|is used|must I open|does the server use]", "[on which port|what is the port|port number|which port do I connect to|what port]"],
     ["Cloister listens on port 8443."]),
    (["[which|what] [version of TLS|TLS version|TLS] [do you use|is used|do you support|does Cloister use|do I need|is required]", "[is|do you support|can I use|is it over] [HTTP|plain HTTP|TLS 1.2|HTTPS|TLS]", "[is the connection encrypted|is traffic encrypted|how is the connection protected|what encryption do you use|do you use TLS]"],
     ["Cloister accepts TLS 1.3 only. Plain HTTP is refused."]),
    (["[what is|tell me about|explain|what does] the compute [API|service|side][| do]", "[can I|how do I|how can I] [rent|get|start|deploy] [a machine|a GPU|GPUs|a pod|a server|a confidential VM|a VM]", "[do you rent GPUs|do you rent machines|what is compute|what can I rent|do you offer GPUs]"],
     ["The compute API rents out two kinds of machine: confidential VMs and standard pods."]),
    (["what is a [pod|standard pod]", "[explain|define] [pods|standard pods|a pod]", "[what is the difference between|compare] [a pod and a confidential VM|standard pods and confidential VMs|confidential VMs and pods]"],
     ["A standard pod is a rented container with GPUs. A confidential VM also protects its memory from the host with Intel TDX."]),
    (["what [is the|are the] rate [limit|limits]", "how many requests [can I make|can I send|are allowed|per minute|per minute are allowed|may I send]", "[what does 429 mean|I get a 429|why do I get 429|am I rate limited|too many requests]"],
     ["Each plan has a rate limit. Beyond it the answer is 429, and the Retry-After header says when to try again."]),
    (["[what does|why do I get|I get|what is] [error 401|status 401|a 401|401][| mean]", "[my key is rejected|my key does not work|unauthorized|invalid key]"],
     ["A 401 means that the key is missing or invalid."]),
    (["[what does|why do I get|I get|what is] [error 402|status 402|a 402|402][| mean]", "[my balance is empty|my balance is too low|I have no balance|how do I top up]"],
     ["A 402 means that your balance is too low. Top up and try again."]),
    (["[what does|why do I get|I get|what is] [error 403|status 403|a 403|403][| mean]", "[my quota is used up|what is the quota|quota exceeded]"],
     ["A 403 means that the token quota of your plan is used up."]),
    (["[what does|why do I get|I get|what is] [error 503|status 503|a 503|503][| mean]", "[the enclave is starting|enclave not ready|service unavailable]"],
     ["A 503 means that the enclave is still starting. Try again in 30 to 60 seconds."]),
    (["[what does|why do I get|I get|what is] [error 400|status 400|a 400|400][| mean]", "[bad request|my request is invalid]"],
     ["A 400 means that a parameter is invalid. The message names the field."]),
    (["[do you support|does Cloister support|can I use|is there|how do I use|can you do] [streaming|streams|server-sent events|SSE]", "[how do I stream|how does streaming work|can answers be streamed|can I stream the answer]"],
     ["Set stream to true, and the answer comes as server-sent events."]),
    (["[do you support|does Cloister support|can I use|is there|how do I use] [tools|tool calling|function calling|functions]"],
     ["Tools are supported: send them in the tools field, and the model answers with tool calls."]),
    (["[which|what] models [are there|do you have|can I use|are available|do you offer|does Cloister run|are supported]", "[list|show me|name] [the models|all models|available models]"],
     ["GET /v1/confidential/models lists the agents and the models with their prices."]),
    (["[where|in which country|in what region|on which continent] [are you hosted|is Cloister hosted|is the service|are your servers|is my data processed|are the servers]", "[are you in the EU|is it hosted in Europe|where is Cloister hosted|is it in the EU]"],
     ["Cloister is made to be hosted in the EU. The region is a property of the deployment."]),
    (["what is [the risk score|a risk score]", "how is the risk score [computed|calculated|made]", "[explain|tell me about] the risk score"],
     ["The risk score goes from 0 to 100: each critical gap counts 25, each high gap 15 and each medium gap 8."]),
    (["what is [the base address|the base URL]", "[what is the base url|what is my base address]"],
     ["That depends on your deployment; ask its operator or look in the documentation."]),
    (["[how do I contact|where is|how can I reach] [support|the support|the team|someone]", "[I have a problem|it does not work|something is broken|I found a bug|I need support]"],
     ["I am sorry about that. Tell me what you sent and what came back, or look in the documentation."]),
]


def fact(rng: random.Random) -> Exchange:
    questions, answers = rng.choice(FACTS)
    question = pick(rng, questions)
    if rng.random() < 0.12:
        question = spin(rng, "[|Please tell me: |I have a question: |Quick question: |One question: |Hello, |Hi, |Hey, |Sorry, ]") + question
    elif rng.random() < 0.08:
        question = "can you tell me " + question
    return scruffy(rng, question), rng.choice(answers)


def agent(rng: random.Random) -> Exchange:
    slug = rng.choice(SLUGS)
    title, field, does, subjects = AGENTS[slug]
    if rng.random() < 0.5:
        named = rng.choice([slug, f"the {slug}", f"the {title}", f"{slug} agent", f"the {slug} agent", f"the agent {slug}", title])
        question = spin(rng, "[what does {a} do|what is {a}|tell me about {a}|explain {a}|what is {a} for|describe {a}|what can {a} do|who is {a}]", a=named)
        return scruffy(rng, question), f"The {slug} agent {does}."
    subject = rng.choice(subjects.split("|"))
    question = spin(rng, "[which|what] agent [helps with|is for|handles|is good for|should I use for|do I use for|can help with|works on|knows about] {s}", s=subject)
    return scruffy(rng, question), f"For {subject}, use {slug}."
