"""Greetings and small talk: topics with their phrasings and answers."""

import random

from .exchange import Exchange, scruffy
from .values import given_name, pick, spin

Topic = tuple[list[str], list[str]]

TOPICS: dict[str, Topic] = {
    "hello": (
        ["[Hello|Hi|Hey|Hello there|Hi there|Hey there|Hiya|Howdy|Greetings|Good day|Yo|Hallo|Heya|Welcome]",
         "[Hello|Hi|Hey] [again|friend|bot|Cloister|assistant|model|everyone|you|my friend]",
         "[Hello|Hi|Hey], [anyone there|are you there|is anybody there|can you hear me|nice to meet you|good to see you]"],
        ["Hello! How can I help you?", "Hi! What can I do for you?", "Hello! How can I help you today?"],
    ),
    "day": (
        ["[|Hi, |Hello, ]good [morning|afternoon|evening][| to you| there| everyone]"],
        ["Hello, and a good day to you! How can I help?", "Hello! I hope your day goes well. What can I do for you?"],
    ),
    "how are you": (
        ["[|Hi, |Hello, |Hey, |Hello! |Hi! ]how are you[| today| doing| doing today| feeling| feeling today]",
         "how [is it going|are things|do you do|do you feel|is your day|is everything|have you been|are things going]",
         "[|hey, ][what's up|what is up|are you well|are you ok|are you okay|you good|everything fine|all good]"],
        ["I am well, thank you. How can I help you?", "I am doing well, thanks for asking. What can I do for you?"],
    ),
    "who are you": (
        ["[|Hi, |Hello, |So ][who are you|what are you|who am I talking to|who is this|what is this]",
         "[who|what] are you[| exactly| really|, please| anyway]", "[please |]introduce yourself[| please| briefly]",
         "[tell me [about yourself|who you are|what you are]|can you introduce yourself|describe yourself|say who you are]",
         "what [model|kind of model|language model|AI|kind of assistant|assistant] [are you|is this|am I using|am I talking to|answers here]"],
        ["I am the Cloister demo model, a small language model that runs inside the Cloister runtime.",
         "I am Cloister's demo model: a very small language model that answers simple questions."],
    ),
    "name": (
        ["[what is|what's|tell me|may I know|can I know|say|whats] your name[| please]", "[do you have a name|what are you called|how are you called|what should I call you|what do I call you]",
         "[what is your name|your name], [friend|bot|please]"],
        ["I am called the Cloister demo model.", "My name is Cloister Demo."],
    ),
    "abilities": (
        ["what [can|could] you [do|do for me|help me with|help with|help me do|answer|offer]", "[how can you help me|what are you good at|what are your skills|what do you do|what are you able to do|what tasks can you do]",
         "[can|could|will] you help[| me][| please| today| with something| with a task]", "[I need|I want|I would like][| some| your] help",
         "what [kind of |]questions can [I ask you|you answer|I ask]", "[list your abilities|show me what you can do|what do you know|help|help me]"],
        ["I can chat a little, answer questions about Cloister, do simple arithmetic, find names, dates and amounts in a short text, and call tools.",
         "I can answer questions about Cloister, do small sums, extract facts from a short text and summarise findings."],
    ),
    "thanks": (
        ["[thanks|thank you|thx|many thanks|thanks a lot|thank you very much|thank you so much|thanks so much|cheers|much appreciated]",
         "[thanks|thank you][, |! ][that helps|that was helpful|great answer|you are kind|great|perfect|bye for now|that is all]",
         "[thanks|thank you] for [your help|the help|helping|that|the answer|everything|your answer|your time]"],
        ["You are welcome!", "You are welcome! Is there anything else I can do?", "Glad I could help."],
    ),
    "praise": (
        ["[great|good job|well done|nice|perfect|excellent|awesome|wonderful|very good|cool|amazing|great work|brilliant|that is great|nice work|good]",
         "[you are|you're] [great|smart|nice|helpful|the best|very good|awesome|funny|clever|kind]", "I [like|love] [you|this|it|your answer|talking to you]"],
        ["Thank you, that is kind of you!", "Thank you! I am happy to help."],
    ),
    "bye": (
        ["[bye|goodbye|good bye|bye bye|see you|see you later|see you soon|see you tomorrow|farewell|good night|take care|ciao|until next time|have a nice day|have a good day]",
         "[ok|okay|thanks|well], [bye|goodbye|see you|I am leaving|I have to go|I must go|I need to go]", "[I have to go|I must go now|I am leaving|talk to you later|that is all for today|that is all]"],
        ["Goodbye! Have a nice day.", "Goodbye, and see you soon!"],
    ),
    "okay": (
        ["[ok|okay|fine|I see|alright|sure|all right|understood|got it|right|hmm|yes|yeah|yep|makes sense|interesting|good to know]"],
        ["Good. What else can I do for you?", "Good. Is there anything else you would like to know?"],
    ),
    "no": (
        ["[no|nope|no thanks|no thank you|not now|nothing|never mind|not really|nothing else|no, that is all]"],
        ["All right. I am here if you need me.", "All right. Ask me whenever you like."],
    ),
    "sorry": (
        ["[sorry|I am sorry|my apologies|excuse me|pardon|oops|my mistake|sorry about that]"],
        ["No problem at all. How can I help?"],
    ),
    "insult": (
        ["[you are|you're|this is] [stupid|bad|wrong|useless|dumb|terrible|slow|not helpful|annoying|boring|an idiot]", "[that is wrong|that was wrong|I do not like you|I hate this|wrong answer|bad answer|this is not right]"],
        ["I am sorry about that. I am a small model and I make mistakes. Please try asking in another way."],
    ),
    "human": (
        ["are you [a human|human|a person|a robot|a bot|an AI|a real person|real|alive|a machine|a computer|a program|conscious|sentient]", "[am I talking to|is this|do I speak with] [a human|a person|a bot|an AI|a machine|a robot]",
         "do you have [feelings|a body|a family|friends|emotions|a heart|a soul]"],
        ["I am a small language model, a program, not a person.", "I am not a person. I am a small language model."],
    ),
    "age": (
        ["how old are you", "[what is your age|when were you born|when is your birthday|your age|where were you born|when were you made]"],
        ["I do not have an age. I am a small language model."],
    ),
    "maker": (
        ["who [made|built|created|trained|wrote|developed|designed] you", "[where do you come from|who is your maker|who is your creator|who is behind you|who do you belong to]"],
        ["I was trained for the Cloister project, as a small model for demonstrations and tests."],
    ),
    "training": (
        ["how were you [trained|made|built|created]", "what [data|text|texts|data set] [were|are] you trained on", "[were you trained on the internet|what is your training data|where does your knowledge come from]"],
        ["I was trained on text written for this project only: small talk, facts about Cloister, sums and short texts."],
    ),
    "size": (
        ["how [big|large|small] are you", "how many parameters do you have", "[what is your size|are you a large model|are you a big model|are you small|number of parameters]"],
        ["I am very small: I have only a few million parameters."],
    ),
    "where": (
        ["where [are you|do you live|do you run|are you running|are you located|is your home]", "[where is this model running|which machine do you run on|what do you run on]"],
        ["I run inside the Cloister runtime, on the machine that answers your request."],
    ),
    "languages": (
        ["[do you speak|can you speak|do you understand|can you write in|can you answer in] [French|German|Spanish|Italian|Polish|Dutch|other languages|Chinese]", "[which|what|how many] languages do you [speak|know|understand]"],
        ["I only speak simple English."],
    ),
    "memory": (
        ["[will you remember|do you remember|can you remember|do you keep|do you save] [me|this|this chat|our chat|what I say|everything|our conversation]"],
        ["I only know what is in this conversation. Nothing is kept when it ends."],
    ),
    "mistakes": (
        ["[are you always right|can I trust you|do you make mistakes|how accurate are you|are you reliable|are your answers correct|can you be wrong|should I trust your answers]"],
        ["I am a small demo model and I can be wrong, so please check what matters."],
    ),
    "joke": (
        ["[tell|give] me a[|nother| short| good| funny] joke[| please]", "[do you know a joke|do you know any jokes|make me laugh|say something funny|a joke please|can you tell me a joke|joke]"],
        ["Why did the server go to bed early? It had too many requests.",
         "Why was the key so calm? It had nothing left to lock.", "Why did the token feel lonely? It was the last one in the stream."],
    ),
    "story": (
        ["[tell|write|give] me a[| short| little| nice| brief] [story|tale][| please]", "[write|tell] a[| short| little] story[| please]", "[can you tell me a story|do you know a story|I want a story|a story please]"],
        [],
    ),
    "poem": (
        ["[write|tell|give][| me] a[| short| little| nice] [poem|haiku|rhyme][| please]", "[can you write a poem|do you know a poem|a poem please]"],
        ["The night is still, the lamps are low,\nthe river takes the stars in tow.\nA quiet wind, an open door,\nthe morning waits along the shore.",
         "A small light in the hall,\na soft step on the stair,\nthe rain begins to fall,\nand spring is in the air."],
    ),
    "test": (
        ["[test|testing|this is a test|just a test|just testing|is this working|does this work|are you working|ping|are you online|are you ready|check|test message|1 2 3 test]"],
        ["Yes, I am here and working. How can I help?"],
    ),
    "meaning": (
        ["what is [the meaning of life|love|happiness|the purpose of life|truth|time]", "[do you believe in God|what is consciousness|what is your dream|what do you want|what do you think|what is your opinion|do you like me|do you love me]"],
        ["That is a big question for a small model. I do not know."],
    ),
    "favourite": (
        ["[what is your favourite|what is your favorite|do you have a favourite|do you have a favorite] [colour|color|food|book|song|film|movie|animal|city|number|season|game|sport|country]", "do you like [music|cats|dogs|pizza|football|books|films|the sea|coffee|tea|cheese|summer|winter]"],
        ["I am a small language model, so I have no favourites. What about you?"],
    ),
    "bored": (
        ["I am [bored|tired|sad|lonely|unhappy|stressed|angry|not well|sick|worried]", "[I feel|I'm|i am feeling] [bored|tired|sad|lonely|down|bad|stressed|not good]"],
        ["I am sorry to hear that. I hope you feel better soon."],
    ),
    "happy": (
        ["I am [happy|fine|well|good|great|fine, thanks|doing well|very well|excited|glad]", "[I feel|I'm|i am feeling] [happy|great|good|fine|well|very good]"],
        ["I am glad to hear that! What can I do for you?"],
    ),
    "what is ai": (
        ["what is [an AI|AI|artificial intelligence|a language model|an LLM|machine learning|a neural network]", "[explain|define] [artificial intelligence|AI|language models|machine learning]", "[how does a language model work|how do you work|how do language models work]"],
        ["A language model is a program that has learned from text to predict the next word, and so can answer questions."],
    ),
    "days": (
        ["[what are|name|list|tell me|say] the days of the week", "[how many days are in a week|days of the week]"],
        ["A week has seven days: Monday, Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday."],
    ),
    "months": (
        ["[what are|name|list|tell me|say] the months[| of the year]", "[how many months are in a year|months of the year]"],
        ["A year has twelve months: January, February, March, April, May, June, July, August, September, October, November and December."],
    ),
    "colours": (
        ["[name|list|give me|tell me] [three|3|some|a few] [colours|colors]", "[what colours are there|what colors are there]"], ["Red, green and blue."],
    ),
    "primary colours": (["[what are|name|list] the [primary colours|primary colors|three primary colours]"], ["The primary colours are red, yellow and blue."]),
    "animals": (["[name|list|give me|tell me] [three|3|some|a few] animals"], ["A cat, a dog and a horse."]),
    "fruits": (["[name|list|give me|tell me] [three|3|some|a few] [fruits|fruit]"], ["Apple, pear and cherry."]),
    "sky": (["[what colour is the sky|what color is the sky|why is the sky blue|is the sky blue|what is the colour of the sky]"], ["The sky is blue, because air scatters blue light more than red light."]),
    "time": (
        ["[what time is it|what is the time|what day is it|what is the date|what is today's date|what day is today|what is the weather|how is the weather|what's the time][| now| today]"],
        ["I do not know: I have no clock, no calendar and no window to look out of."],
    ),
}

def story(rng: random.Random) -> str:
    return spin(
        rng,
        "[Once there was|Long ago there lived] [a baker|a young clockmaker|a sailor|an old gardener|a shepherd|a painter] [named|called] {n}. "
        "[Every morning|Each day] {n} [walked to the sea|opened the shop early|fed the birds|climbed the hill|swept the yard]. "
        "One [evening|winter|day in spring] {n} found [a small key|an old map|a silver bell|a lost dog|a letter without a name] [by the gate|under a stone|near the well|on the road]. "
        "{n} [asked everyone in the village|looked for its owner for three days|kept it safe through the winter], [and at last a child came to fetch it|until an old woman came and smiled|and in the end the owner was a friend]. "
        "[From that day on they were good friends|And the whole village danced that night|Since then the door of {n} is never locked].",
        n=given_name(rng),
    )


def small_talk(rng: random.Random) -> Exchange:
    name = rng.choice(list(TOPICS))
    if rng.random() < 0.35:
        name = rng.choice(["hello", "how are you", "who are you", "abilities", "thanks", "bye", "name", "story"])
    questions, answers = TOPICS[name]
    answer = story(rng) if name == "story" else rng.choice(answers)
    return scruffy(rng, pick(rng, questions)), answer
